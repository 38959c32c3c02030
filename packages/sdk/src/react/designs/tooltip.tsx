import { useState, type ReactNode } from 'react'
import { Anchor } from './parts/anchor.tsx'
import { CloseButton } from './parts/close-button.tsx'
import { useSettings } from './design-settings.ts'
import { hasIcon, Icon } from './parts/icon.tsx'
import type { Content } from './reading/read-block.ts'
import { Paragraphs } from './parts/texts.tsx'

/** A hint beside an element. The element stays usable, and the hint stays until it is closed. */
export function Tooltip({ content, children }: { content: Content; children?: ReactNode }) {
  const { block, onDismiss, isInline } = useSettings()
  const [isClosed, setClosed] = useState(false)
  const { look, title, subtitle, paragraphs, actions } = content
  const isShown = isInline || !isClosed
  return (
    <div className="cf-tooltip">
      {children}
      {isShown && (
        <div className={look.hasArrow ? 'cf-bubble cf-bubble--arrow' : 'cf-bubble'} role="note">
          {hasIcon(look.icon) && <Icon name={look.icon} />}
          <div className="cf-bubble-text">
            {title !== undefined && <p className="cf-bubble-title">{title}</p>}
            {subtitle !== undefined && <p>{subtitle}</p>}
            <Paragraphs paragraphs={paragraphs} />
            {actions.map((action) => (
              <Anchor key={action.tag} link={action.link} className="cf-inverse-link">
                {action.label}
              </Anchor>
            ))}
          </div>
          <CloseButton
            onClose={() => {
              setClosed(true)
              onDismiss?.(block)
            }}
          />
        </div>
      )}
    </div>
  )
}
