import type { ReactNode } from 'react'
import { useSettings } from '../design-settings.ts'
import type { Link } from '../reading/read-link.ts'

type AnchorProps = { link: Link; className: string; label?: string; children?: ReactNode; onFollow?: () => void }

/** The only place that writes an href. The app may prevent the default and go there by itself. */
export function Anchor({ link, className, label, children, onFollow }: AnchorProps) {
  const { block, onClick } = useSettings()
  return (
    <a
      className={className}
      href={link.href}
      rel={link.kind === 'web' ? 'noopener noreferrer' : undefined}
      aria-label={label}
      onClick={(event) => {
        onClick?.(link, block, event)
        onFollow?.()
      }}
    >
      {children}
    </a>
  )
}
