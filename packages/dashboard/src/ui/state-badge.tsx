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

/** Which environment a thing belongs to, in the colour of its state. Not every language has one word for both. */
export function EnvironmentBadge({ environment }: { environment: 'live' | 'test' }) {
  const t = useTexts()
  return <Mark look={LOOKS[environment]} text={t(environment === 'live' ? 'liveEnvironment' : 'testEnvironment')} />
}

/** The state of a thing: one word and one colour everywhere. The word says it; the colour only helps. */
export function StateBadge({ state }: { state: State }) {
  const t = useTexts()
  return <Mark look={LOOKS[state]} text={t(state)} />
}

function Mark({ look: { color, variant }, text }: { look: (typeof LOOKS)[State]; text: string }) {
  return (
    <Badge color={color} variant={variant} tt="none" fw={600} radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {text}
    </Badge>
  )
}
