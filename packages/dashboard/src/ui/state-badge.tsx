import { Badge } from '@mantine/core'
import { useTexts } from './texts.ts'

export type State = 'draft' | 'scheduled' | 'live' | 'test' | 'paused' | 'ended' | 'review' | 'refused'

const LOOKS: Record<State, { color: string; variant: 'light' | 'outline' }> = {
  draft: { color: 'gray', variant: 'light' },
  scheduled: { color: 'blue', variant: 'light' },
  live: { color: 'green', variant: 'light' },
  test: { color: 'violet', variant: 'light' },
  paused: { color: 'yellow', variant: 'light' },
  ended: { color: 'gray', variant: 'outline' },
  review: { color: 'orange', variant: 'light' },
  refused: { color: 'red', variant: 'light' },
}

/** The state of a thing: one word and one colour everywhere. The word says it; the colour only helps. */
export function StateBadge({ state }: { state: State }) {
  const t = useTexts()
  const { color, variant } = LOOKS[state]
  return (
    <Badge color={color} variant={variant} tt="none" fw={600} radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {t(state)}
    </Badge>
  )
}
