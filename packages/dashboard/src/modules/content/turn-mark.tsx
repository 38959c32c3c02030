import { IconCircleArrowUpFilled, IconCircleDashed, IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import type { Turn } from './api.ts'

/** A start or an end of a schedule, or a publication, told apart by form and colour. Those of a draft do not happen. */
export function TurnMark({ change, isDraft }: { change: Turn['change']; isDraft?: boolean }) {
  if (isDraft) return <IconCircleDashed size={12} aria-hidden style={{ flexShrink: 0, color: 'var(--mantine-color-dimmed)' }} />
  if (change === 'publishes')
    return <IconCircleArrowUpFilled size={12} aria-hidden style={{ flexShrink: 0, color: 'var(--mantine-primary-color-filled)' }} />
  return change === 'starts' ? (
    <IconPlayerPlayFilled
      size={12}
      aria-hidden
      className="cf-mirrored"
      style={{ flexShrink: 0, color: 'var(--mantine-color-green-text)' }}
    />
  ) : (
    <IconPlayerStopFilled size={12} aria-hidden style={{ flexShrink: 0, color: 'var(--mantine-color-dimmed)' }} />
  )
}
