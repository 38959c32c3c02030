import { ActionIcon, Button, Group, Paper, Popover, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useCalendar } from '../../calendar.ts'
import { useFormat, type Format } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { instancePath, type Summary } from './api.ts'
import {
  addDays,
  boundsOf,
  dayNumber,
  dayOf,
  entriesOf,
  monthOf,
  readMonth,
  shiftMonth,
  weekdayOf,
  weeksOf,
  type Day,
  type Entry,
} from './month.ts'
import { useTexts } from './texts.ts'
import { useInstanceName } from './use-instance-name.ts'
import { TurnMark } from './turn-mark.tsx'
import { useAll } from './use-all.ts'
import classes from './content.module.css'

/** Entries of a day that are shown before the rest is asked for. */
const SHOWN = 3

/** A month of starts and ends of schedules, in the zone and the weeks of the workspace (G-83). */
export function MonthView() {
  const t = useTexts()
  const format = useFormat()
  const { timeZone, firstDayOfWeek } = useCalendar()
  const isPhone = useMediaQuery('(max-width: 700px)')
  const today = dayOf(new Date(), timeZone)
  const [asked, setAsked] = useUrlState('month')
  const month = readMonth(asked, today)
  const weeks = weeksOf(month, firstDayOfWeek)
  const bounds = boundsOf(weeks, timeZone)
  const instances = useAll(
    usePages<Summary>('/instances', 'instances', { limit: 200, labelLocale: useLanguage(), ...bounds }, { every: 60_000 }),
    Infinity,
  )
  if (instances.error && instances.items.length === 0) return <Failure error={instances.error} onRetry={instances.retry} />
  const entries = Map.groupBy(entriesOf(instances.items), ({ at }) => dayOf(at, timeZone))
  const isEmpty = !instances.isLoading && !instances.isPrevious && !weeks.flat().some((day) => day.startsWith(month) && entries.has(day))
  const hijriMonths = hijriMonthsOf(month, format)
  const go = (next: string) => setAsked(next === monthOf(today) ? '' : next)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <ActionIcon variant="default" size="lg" aria-label={t('previousMonth')} onClick={() => go(shiftMonth(month, -1))}>
            <IconChevronLeft size={18} aria-hidden className="cf-mirrored" />
          </ActionIcon>
          <Stack gap={0} miw={170} ta="center" aria-live="polite">
            <Title order={2}>{format.month(`${month}-01`)}</Title>
            {hijriMonths !== undefined && (
              <Text size="sm" c="dimmed">
                {hijriMonths}
              </Text>
            )}
          </Stack>
          <ActionIcon variant="default" size="lg" aria-label={t('nextMonth')} onClick={() => go(shiftMonth(month, 1))}>
            <IconChevronRight size={18} aria-hidden className="cf-mirrored" />
          </ActionIcon>
          <Button variant="default" size="sm" onClick={() => setAsked('')} disabled={month === monthOf(today)}>
            {t('today')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('zone', { zone: timeZone })}
        </Text>
      </Group>
      {instances.isLoading ? (
        <Skeleton height={isPhone ? 240 : 720} />
      ) : isPhone ? (
        <Agenda days={weeks.flat().filter((day) => day.startsWith(month))} entries={entries} />
      ) : (
        <Paper withBorder style={{ overflow: 'hidden' }}>
          <table className={classes.month}>
            <caption className="cf-visually-hidden">{format.month(`${month}-01`)}</caption>
            <thead>
              <tr>
                {weeks[0]?.map((day) => (
                  <th key={day} scope="col">
                    {format.weekday(day)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeks.map((week) => (
                <tr key={week[0]}>
                  {week.map((day) => (
                    <DayCell
                      key={day}
                      day={day}
                      isOutside={!day.startsWith(month)}
                      entries={entries.get(day) ?? []}
                      isToday={day === today}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Paper>
      )}
      {isEmpty && <Text c="dimmed">{t('monthEmpty')}</Text>}
      {instances.hasMore && (
        <Text size="sm" c="dimmed" role="status">
          {t('monthIncomplete', { shown: format.number(instances.items.length), total: format.number(instances.total ?? 0) })}
        </Text>
      )}
      {instances.error && <Failure error={instances.error} onRetry={instances.retry} />}
    </Stack>
  )
}

type DayProps = { day: Day; entries: Entry[]; isOutside: boolean; isToday: boolean }

function DayCell({ day, entries, isOutside, isToday }: DayProps) {
  const t = useTexts()
  const format = useFormat()
  const { weekend } = useCalendar()
  const hijri = format.hijriDay(day)
  const isWeekend = weekend.includes(weekdayOf(day))
  const hidden = entries.length > SHOWN + 1 ? entries.length - SHOWN : 0
  return (
    <td
      data-outside={isOutside || undefined}
      data-weekend={isWeekend || undefined}
      data-today={isToday || undefined}
      aria-current={isToday ? 'date' : undefined}
    >
      <div className={classes.dayHead}>
        <span className={classes.dayNumber}>
          <span aria-hidden>{dayNumber(day)}</span>
          <span className="cf-visually-hidden">{dayWords(day, format)}</span>
        </span>
        {hijri !== undefined && (
          <span className={classes.hijriDay} aria-hidden>
            {hijri}
          </span>
        )}
      </div>
      {entries.slice(0, entries.length - hidden).map((entry) => (
        <EntryLink key={entry.instance.id + entry.change} entry={entry} />
      ))}
      {hidden > 0 && (
        <Popover width={320} position="bottom" withArrow trapFocus shadow="md">
          <Popover.Target>
            <UnstyledButton className={classes.entry}>
              <span>{t('moreEntries', { count: hidden, formatted: format.number(hidden) })}</span>
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('entriesOn', { day: format.calendarDay(day) })}>
            <Entries entries={entries} />
          </Popover.Dropdown>
        </Popover>
      )}
    </td>
  )
}

function EntryLink({ entry }: { entry: Entry }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const { instance, change, isDraft, at } = entry
  const name = useInstanceName()(instance)
  const words = t(isDraft ? 'entryOfDraft' : 'entry', { name, change: t(change), time: format.moment(at) })
  return (
    <Link to={instancePath(workspace.id, instance.blockKey, instance.id)} className={classes.entry} title={words}>
      <TurnMark change={change} isDraft={isDraft} />
      <span className={classes.time}>{format.time(entry.at)}</span>
      <span className={classes.entryName} dir="auto">
        {name}
      </span>
      <span className="cf-visually-hidden">{isDraft ? t('draftEntry') : t(change)}</span>
    </Link>
  )
}

/** Days that have entries, for windows too narrow for a grid. */
function Agenda({ days, entries }: { days: Day[]; entries: Map<Day, Entry[]> }) {
  const format = useFormat()
  const full = days.filter((day) => entries.has(day))
  if (full.length === 0) return null
  return (
    <Stack gap="sm">
      {full.map((day) => (
        <Paper key={day} withBorder p="sm">
          <Title order={3} size="sm" mb={6}>
            {dayWords(day, format)}
          </Title>
          <Entries entries={entries.get(day) ?? []} />
        </Paper>
      ))}
    </Stack>
  )
}

function Entries({ entries }: { entries: Entry[] }) {
  return (
    <Stack gap={6}>
      {entries.map((entry) => (
        <Group key={entry.instance.id + entry.change} gap="xs" justify="space-between" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <EntryLink entry={entry} />
          </div>
          <StateBadge state={entry.instance.state} />
        </Group>
      ))}
    </Stack>
  )
}

/** A day as it is read out: with its Hijri date where the workspace shows it. */
function dayWords(day: Day, format: Format): string {
  return [format.calendarDay(day), format.hijriDayAndMonth(day)].filter((each) => each !== undefined).join(' · ')
}

/** The Hijri months that a month reaches into. */
function hijriMonthsOf(month: string, format: Format): string | undefined {
  const [first, last] = [format.hijriMonth(`${month}-01`), format.hijriMonth(addDays(`${shiftMonth(month, 1)}-01`, -1))]
  return first === last ? first : `${first} – ${last}`
}
