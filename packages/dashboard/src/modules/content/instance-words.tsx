/** What lists show of an instance besides its name. */
import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconUsersGroup, IconWorld } from '@tabler/icons-react'
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import type { LocaleFill } from '@contentflow/core/blocks/outline.ts'
import { targetOf } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { useFormat } from '../../format.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import type { Locale, Summary, Warnings } from './api.ts'
import { useTexts } from './texts.ts'

type Stated = Pick<Summary, 'state' | 'isChanged' | 'publishAt' | 'warnings'>

/** Its state in one word, whether it has unpublished changes, and when a revision is published next. */
export function InstanceState({ instance: { state, isChanged, publishAt, warnings } }: { instance: Stated }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Group gap={6} component="span">
      <StateBadge state={state} />
      {isChanged && (
        <Badge component="span" variant="dot" color="orange" tt="none" fw={500} radius="sm" styles={{ label: { overflow: 'visible' } }}>
          {t('changesNotPublished')}
        </Badge>
      )}
      <UnknownSegments warnings={warnings} />
      {publishAt && (
        <Text span size="sm" c="dimmed">
          {t('publishesAt', { at: format.moment(publishAt) })}
        </Text>
      )}
    </Group>
  )
}

/** Names of segments that there are none of, which what is shown is for: it reaches no one. */
function UnknownSegments({ warnings }: { warnings: Warnings }) {
  const t = useTexts()
  const format = useFormat()
  if (!warnings || warnings.length === 0) return null
  const words = t('segmentGone', { names: format.list(warnings.map(({ segment }) => segment)) })
  return (
    <Tooltip label={words} multiline maw={280}>
      <Badge
        component="span"
        color="red"
        variant="light"
        tt="none"
        radius="sm"
        fw={500}
        leftSection={<IconAlertTriangle size={12} aria-hidden />}
        aria-label={words}
        role="img"
        styles={{ label: { overflow: 'visible' } }}
      >
        {t('reachesNoOne')}
      </Badge>
    </Tooltip>
  )
}

/** Who gets it: a segment's name, or everyone. */
export function Who({ seg }: { seg: string | null }) {
  const t = useTexts()
  const target = targetOf(seg)
  const Picture = target === undefined ? IconWorld : IconUsersGroup
  return (
    <Group gap={4} wrap="nowrap" component="span" miw={0}>
      <Picture size={14} stroke={1.7} aria-hidden style={{ flexShrink: 0 }} />
      <Text span size="sm" style={{ overflowWrap: 'break-word' }}>
        {target ?? t('everyone')}
      </Text>
    </Group>
  )
}

/** From when until when it shows, with the zone. */
export function When({ schedule }: { schedule: Schedule | null }) {
  const t = useTexts()
  const format = useFormat()
  const start = schedule?.startTime && format.moment(schedule.startTime)
  const end = schedule?.endTime && format.moment(schedule.endTime)
  if (start && end) return t('fromUntil', { start, end })
  if (start) return t('from', { start })
  if (end) return t('until', { end })
  return (
    <Text span size="sm" c="dimmed">
      {t('always')}
    </Text>
  )
}

/** How far each language of the workspace is filled; the source language always is. */
export function Languages({ fills, locales }: { fills: readonly LocaleFill[]; locales: readonly Locale[] }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Group gap={4}>
      {locales
        .filter(({ source }) => !source)
        .map(({ code }) => {
          const fill = fills.find(({ locale }) => locale.toLowerCase() === code.toLowerCase())
          const values = { language: format.language(code), filled: fill?.filled ?? 0, of: fill?.of ?? 0 }
          const isComplete = fill !== undefined && fill.filled === fill.of
          const words = t(isComplete ? 'languageComplete' : fill ? 'languagePart' : 'languageNone', values)
          return (
            <Tooltip key={code} label={words}>
              <Badge
                component="span"
                variant="light"
                color={isComplete ? 'green' : fill ? 'orange' : 'gray'}
                tt="none"
                radius="sm"
                fw={500}
                aria-label={words}
                role="img"
                styles={{ label: { overflow: 'visible' } }}
              >
                <span dir="ltr">{isComplete ? code : fill ? `${code} ${fill.filled}/${fill.of}` : `${code} –`}</span>
              </Badge>
            </Tooltip>
          )
        })}
    </Group>
  )
}
