import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import type { Turn } from './api.ts'

/** A start or an end of a schedule, told apart by form and colour. */
export function TurnMark({ change }: { change: Turn['change'] }) {
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
