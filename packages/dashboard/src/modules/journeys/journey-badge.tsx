import { Badge, Group } from '@mantine/core'
import type { Journey } from './api.ts'
import { useTexts } from './texts.ts'

const COLORS = { draft: 'gray', active: 'green', paused: 'yellow' } as const
const LOOK = { variant: 'light', tt: 'none', fw: 600, radius: 'sm', styles: { label: { overflow: 'visible' } } } as const

/** The status of the journey, and whether something is missing in it. */
export function JourneyBadge({ status, incomplete = false }: Pick<Journey, 'status'> & { incomplete?: boolean }) {
  const t = useTexts()
  return (
    <Group gap={4}>
      <Badge color={COLORS[status]} {...LOOK}>
        {t(`status_${status}`)}
      </Badge>
      {incomplete && (
        <Badge color="orange" {...LOOK}>
          {t('incomplete')}
        </Badge>
      )}
    </Group>
  )
}
