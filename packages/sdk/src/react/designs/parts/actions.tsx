import { Anchor } from './anchor.tsx'
import type { Action } from '../reading/read-block.ts'

type ActionsProps = { actions: readonly Action[]; closeLabel?: string | undefined; onClose?: () => void; onFollow?: () => void }

/** The buttons of a block: the first one with a text of its own is emphasized, links without one are quieter. */
export function Actions({ actions, closeLabel, onClose, onFollow }: ActionsProps) {
  if (actions.length === 0 && closeLabel === undefined) return undefined
  const primary = actions.find(({ isNamed }) => isNamed)
  const follow = onFollow ? { onFollow } : {}
  return (
    <div className="cf-actions">
      {actions.map((action) => (
        <Anchor
          key={action.tag}
          link={action.link}
          className={`cf-button ${action === primary ? 'cf-button--primary' : 'cf-button--quiet'}`}
          {...follow}
        >
          {action.label}
        </Anchor>
      ))}
      {closeLabel !== undefined && (
        <button type="button" className="cf-button cf-button--text" onClick={onClose}>
          {closeLabel}
        </button>
      )}
    </div>
  )
}
