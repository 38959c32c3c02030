import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import { useCalendar } from '../../../../calendar.ts'
import { useFormat } from '../../../../format.ts'
import { addDays, dayNumber } from '../../month.ts'
import { firstDay, stripDays } from './strip-days.ts'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

const DAYS = 28

/** Four weeks with the visible time filled in. The exact times are in the fields above. */
export function StripCalendar({ schedule }: { schedule: Schedule | null }) {
  const t = useTexts()
  const format = useFormat()
  const [page, setPage] = useState(0)
  const { timeZone, weekend } = useCalendar()
  const days = useMemo(() => {
    const now = new Date()
    return stripDays(schedule, addDays(firstDay(schedule, now, timeZone), page * DAYS), DAYS, { now, timeZone, weekend })
  }, [schedule, page, timeZone, weekend])
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" aria-label={t('earlier')} onClick={() => setPage(page - 1)}>
          <IconChevronLeft size={16} aria-hidden className="cf-mirrored" />
        </ActionIcon>
        <Text size="sm" c="dimmed">
          {format.calendarDay(first.day)} – {format.calendarDay(last.day)}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t('later')} onClick={() => setPage(page + 1)}>
          <IconChevronRight size={16} aria-hidden className="cf-mirrored" />
        </ActionIcon>
      </Group>
      <div
        className={classes.strip}
        role="img"
        aria-label={t('stripLabel', { from: format.calendarDay(first.day), to: format.calendarDay(last.day) })}
      >
        {days.map(({ day, isToday, isWeekend, from, to }) => (
          <span key={day} className={classes.day} data-today={isToday || undefined} data-weekend={isWeekend || undefined}>
            {to > from && (
              <span className={classes.onAir} style={{ insetInlineStart: `${from * 100}%`, inlineSize: `${(to - from) * 100}%` }} />
            )}
            <span className={classes.dayNumber}>{dayNumber(day)}</span>
          </span>
        ))}
      </div>
    </Stack>
  )
}
