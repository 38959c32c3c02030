import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from '../editor.module.css'

/** CSS pixels of what is drawn; a wide page is shown smaller where it does not fit. */
const WIDTHS = { phone: 390, web: 1024 } as const

type Props = {
  width: keyof typeof WIDTHS
  design: string | undefined
  theme: 'light' | 'dark'
  dir: 'ltr' | 'rtl'
  label: string
  children: ReactNode
}

/** A phone or a browser window with the block in it, as wide as the real one. */
export function PreviewFrame({ width, design, theme, dir, label, children }: Props) {
  const outer = useElementSize()
  const inner = useElementSize()
  const scale = outer.width === 0 ? 1 : Math.min(1, outer.width / WIDTHS[width])
  return (
    <div ref={outer.ref} className={classes.stage} role="group" aria-label={label}>
      <div
        className={classes.device}
        data-width={width}
        data-theme={theme}
        style={{ inlineSize: WIDTHS[width] * scale, blockSize: inner.height * scale || undefined }}
      >
        <div ref={inner.ref} className={classes.screen} dir={dir} style={{ inlineSize: WIDTHS[width], scale: String(scale) }}>
          <div className={classes.bar} aria-hidden />
          <div className={classes.content} data-design={design}>
            {children}
          </div>
        </div>
      </div>
    </div>
  )
}
