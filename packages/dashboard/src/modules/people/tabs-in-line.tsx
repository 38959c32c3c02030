import { Tabs } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'

/** Tabs that stay in one line: where they do not fit, as on phones, they are moved sideways. `value`: the one that is open, which is brought into view. */
export function TabsInLine({ value, children }: { value: string | null; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [value])
  return (
    <Tabs.List ref={list} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
      {children}
    </Tabs.List>
  )
}
