import { Badge } from '@mantine/core'
import type { Journey } from './api.ts'
import { useTexts } from './texts.ts'

const COLORS = { draft: 'gray', active: 'green', paused: 'yellow' } as const

export function JourneyBadge({ status }: Pick<Journey, 'status'>) {
  const t = useTexts()
  return (
    <Badge color={COLORS[status]} variant="light" tt="none" fw={600} radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {t(`status_${status}`)}
    </Badge>
  )
}
