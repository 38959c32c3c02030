import { ActionIcon, Button, Group, Paper, Popover, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCalendar } from '../../calendar.ts'
import type { Pages } from '../../data.ts'
import { useFormat, type Format } from '../../format.ts'
import { Failure } from '../../ui/failure.tsx'
import { hijriMarkOf } from '../../ui/moments/hijri-feasts.ts'
import { useMomentTexts } from '../../ui/moments/texts-moment.ts'
import { hijriMonthsOf } from '../../ui/moments/use-hijri-days.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { boundsOf, dayNumber, dayOf, monthOf, readMonth, shiftMonth, weekdayOf, weeksOf, type Day } from './month.ts'
import { useTexts } from './texts.ts'
import { useAll } from './use-all.ts'
import classes from './content.module.css'

/** Something that happens at a moment; `words` say all of it, `change` what happens, `badge` in which state it is. */
export type MonthEntry = {
  key: string
  at: Date
  path: string
  name: string
  words: string
  change: string
  mark: ReactNode
  badge: ReactNode
}

/** Entries of a day that are shown before the rest is asked for. */
const SHOWN = 3

/** The month that the address names, in the zone and the weeks of the workspace. */
export function useMonth() {
  const { timeZone, firstDayOfWeek } = useCalendar()
  const today = dayOf(new Date(), timeZone)
  const [asked, setAsked] = useUrlState('month')
  const month = readMonth(asked, today)
  const weeks = weeksOf(month, firstDayOfWeek)
  const go = (next: string) => setAsked(next === monthOf(today) ? '' : next)
  return { month, weeks, today, go, bounds: boundsOf(weeks, timeZone) }
}

type GridProps<T> = { shown: ReturnType<typeof useMonth>; pages: Pages<T>; entriesOf: (items: readonly T[]) => MonthEntry[] }

/** A month of moments, as a wall calendar has it; as a list of days where the window is too narrow for a grid. */
export function MonthGrid<T>({ shown: { month, weeks, today, go }, pages, entriesOf }: GridProps<T>) {
  const t = useTexts()
  const format = useFormat()
  const { timeZone } = useCalendar()
  const isPhone = useMediaQuery('(max-width: 700px)')
  const read = useAll(pages, Infinity)
  if (read.error && read.items.length === 0) return <Failure error={read.error} onRetry={read.retry} />
  const entries = Map.groupBy(entriesOf(read.items), ({ at }) => dayOf(at, timeZone))
  const isEmpty = !read.isLoading && !read.isPrevious && !weeks.flat().some((day) => day.startsWith(month) && entries.has(day))
  const hijriMonths = hijriMonthsOf(month, format)
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
          <Button variant="default" size="sm" onClick={() => go(monthOf(today))} disabled={month === monthOf(today)}>
            {t('today')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('zone', { zone: timeZone })}
        </Text>
      </Group>
      {read.isLoading ? (
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
      {read.hasMore && (
        <Text size="sm" c="dimmed" role="status">
          {t('monthIncomplete', { shown: format.number(read.items.length), total: format.number(read.total ?? 0) })}
        </Text>
      )}
      {read.error && <Failure error={read.error} onRetry={read.retry} />}
    </Stack>
  )
}

type DayProps = { day: Day; entries: MonthEntry[]; isOutside: boolean; isToday: boolean }

function DayCell({ day, entries, isOutside, isToday }: DayProps) {
  const t = useTexts()
  const format = useFormat()
  const { weekend } = useCalendar()
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
        <HijriDay day={day} />
      </div>
      {entries.slice(0, entries.length - hidden).map((entry) => (
        <EntryLink key={entry.key} entry={entry} />
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

/** Its Hijri number, with the month on its first day, and a feast by its name. */
function HijriDay({ day }: { day: Day }) {
  const t = useMomentTexts()
  const format = useFormat()
  const number = format.hijriDay(day)
  if (number === undefined) return null
  const { isFirst, feast } = hijriMarkOf(day)
  const isFeast = feast === 'eidFitr' || feast === 'eidAdha'
  return (
    <span className={classes.hijriDay} data-feast={feast}>
      <span aria-hidden>{isFirst ? format.hijriDayAndMonth(day) : number}</span>
      {isFeast && <span>{t(feast)}</span>}
    </span>
  )
}

function EntryLink({ entry: { path, words, mark, at, name, change } }: { entry: MonthEntry }) {
  const format = useFormat()
  return (
    <Link to={path} className={classes.entry} title={words}>
      {mark}
      <span className={classes.time}>{format.time(at)}</span>
      <span className={classes.entryName} dir="auto">
        {name}
      </span>
      <span className="cf-visually-hidden">{change}</span>
    </Link>
  )
}

/** Days that have entries, for windows too narrow for a grid. */
function Agenda({ days, entries }: { days: Day[]; entries: Map<Day, MonthEntry[]> }) {
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

function Entries({ entries }: { entries: MonthEntry[] }) {
  return (
    <Stack gap={6}>
      {entries.map((entry) => (
        <Group key={entry.key} gap="xs" justify="space-between" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <EntryLink entry={entry} />
          </div>
          {entry.badge}
        </Group>
      ))}
    </Stack>
  )
}

/** A day as it is read out: with its Hijri date where the workspace shows it. */
function dayWords(day: Day, format: Format): string {
  return [format.calendarDay(day), format.hijriDayAndMonth(day)].filter((each) => each !== undefined).join(' · ')
}
