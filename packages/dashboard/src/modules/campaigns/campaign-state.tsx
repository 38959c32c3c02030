import { Badge } from '@mantine/core'
import type { Status } from './api.ts'
import { useTexts } from './texts.ts'

/** In the colours of states elsewhere, with words of its own, because campaigns have more states. */
const LOOKS: Record<Status, { color: string; variant?: 'outline' }> = {
  draft: { color: 'gray' },
  pending_review: { color: 'orange' },
  approved: { color: 'teal' },
  scheduled: { color: 'blue' },
  active: { color: 'green' },
  test: { color: 'violet' },
  paused: { color: 'yellow' },
  completed: { color: 'gray', variant: 'outline' },
  expired: { color: 'gray', variant: 'outline' },
  rejected: { color: 'red' },
}

export function CampaignState({ status }: { status: Status }) {
  const t = useTexts()
  return <Mark {...LOOKS[status]} text={t(`status_${status}`)} />
}

/** Something else than what was approved would be meant now. */
export function ChangedSince() {
  const t = useTexts()
  return <Mark color="orange" variant="outline" text={t('changedSinceApproval')} />
}

export function Mark({ color, variant = 'light', text }: { color: string; variant?: 'light' | 'outline'; text: string }) {
  return (
    <Badge color={color} variant={variant} tt="none" fw={600} radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {text}
    </Badge>
  )
}
