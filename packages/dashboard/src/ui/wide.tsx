import { Box, Paper } from '@mantine/core'
import type { ReactNode } from 'react'

type WideProps = {
  /** Its content, for screen readers. */
  label: string
  withBorder?: boolean
  children: ReactNode
}

/**
 * Content that can be wider than the page, such as a table: it is scrolled sideways, by keyboard too. A group and no landmark,
 * for the part of the page around it is one, often of the same name.
 */
export function Wide({ label, withBorder = false, children }: WideProps) {
  const Ground = withBorder ? Paper : Box
  return (
    <Ground {...(withBorder && { withBorder })} role="group" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
      {children}
    </Ground>
  )
}
