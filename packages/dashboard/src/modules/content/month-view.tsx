import { ActionIcon, Button, Group, Paper, Popover, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat, ZONE, type Format } from '../../format.ts'
import { useLanguage, type Language } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { instancePath, nameOf, type Summary } from './api.ts'
import { boundsOf, dateOf, dayOf, entriesOf, monthOf, readMonth, shiftMonth, weeksOf, type Day, type Entry } from './month.ts'
import { useTexts } from './texts.ts'
import { TurnMark } from './turn-mark.tsx'
import { useAll } from './use-all.ts'
import classes from './content.module.css'

/** Sunday is 0. In English weeks begin on Monday (ISO 8601), in Arabic on Sunday, as in Saudi Arabia. */
const FIRST_WEEKDAY: Record<Language, number> = { en: 1, ar: 0 }
/** Entries of a day that are shown before the rest is asked for. */
const SHOWN = 3

/** A month of starts and ends of schedules, in the zone of the browser. */
export function MonthView() {
  const t = useTexts()
  const format = useFormat()
  const language = useLanguage()
  const isPhone = useMediaQuery('(max-width: 700px)')
  const now = new Date()
  const [asked, setAsked] = useUrlState('month')
  const month = readMonth(asked, now)
  const weeks = weeksOf(month, FIRST_WEEKDAY[language])
  const instances = useAll(usePages<Summary>('/instances', 'instances', { limit: 200, ...boundsOf(weeks) }, { every: 60_000 }), Infinity)
  if (instances.error && instances.items.length === 0) return <Failure error={instances.error} onRetry={instances.retry} />
  const entries = Map.groupBy(entriesOf(instances.items), ({ at }) => dayOf(at))
  const isEmpty = !instances.isLoading && !instances.isPrevious && !weeks.flat().some((day) => day.startsWith(month) && entries.has(day))
  const go = (next: string) => setAsked(next === monthOf(now) ? '' : next)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <ActionIcon variant="default" size="lg" aria-label={t('previousMonth')} onClick={() => go(shiftMonth(month, -1))}>
            <IconChevronLeft size={18} aria-hidden className="cf-mirrored" />
          </ActionIcon>
          <Title order={2} miw={170} ta="center" aria-live="polite">
            {monthName(month, language)}
          </Title>
          <ActionIcon variant="default" size="lg" aria-label={t('nextMonth')} onClick={() => go(shiftMonth(month, 1))}>
            <IconChevronRight size={18} aria-hidden className="cf-mirrored" />
          </ActionIcon>
          <Button variant="default" size="sm" onClick={() => setAsked('')} disabled={month === monthOf(now)}>
            {t('today')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('zone', { zone: ZONE })}
        </Text>
      </Group>
      {instances.isLoading ? (
        <Skeleton height={isPhone ? 240 : 720} />
      ) : isPhone ? (
        <Agenda days={weeks.flat().filter((day) => day.startsWith(month))} entries={entries} />
      ) : (
        <Paper withBorder style={{ overflow: 'hidden' }}>
          <table className={classes.month}>
            <caption className="cf-visually-hidden">{monthName(month, language)}</caption>
            <thead>
              <tr>
                {weeks[0]?.map((day) => (
                  <th key={day} scope="col">
                    {weekdayName(day, language)}
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
                      isToday={day === dayOf(now)}
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
  const hidden = entries.length > SHOWN + 1 ? entries.length - SHOWN : 0
  return (
    <td data-outside={isOutside || undefined} data-today={isToday || undefined} aria-current={isToday ? 'date' : undefined}>
      <span className={classes.dayNumber}>
        <span aria-hidden>{dateOf(day).getDate()}</span>
        <span className="cf-visually-hidden">{format.day(dateOf(day))}</span>
      </span>
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
          <Popover.Dropdown aria-label={t('entriesOn', { day: format.day(dateOf(day)) })}>
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
  const { instance, change } = entry
  return (
    <Link to={instancePath(workspace.id, instance.blockKey, instance.id)} className={classes.entry} title={entryWords(t, format, entry)}>
      <TurnMark change={change} />
      <span className={classes.time}>{format.time(entry.at)}</span>
      <span className={classes.entryName} dir="auto">
        {nameOf(instance)}
      </span>
      <span className="cf-visually-hidden">{t(change)}</span>
    </Link>
  )
}

function entryWords(t: ReturnType<typeof useTexts>, format: Format, { instance, change, at }: Entry): string {
  return t('entry', { name: nameOf(instance), change: t(change), time: format.moment(at) })
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
            {format.day(dateOf(day))}
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

function tagOf(language: Language): string {
  return language === 'ar' ? 'ar-u-nu-latn-ca-gregory' : 'en-GB'
}

function monthName(month: string, language: Language): string {
  return new Intl.DateTimeFormat(tagOf(language), { month: 'long', year: 'numeric' }).format(dateOf(`${month}-01`))
}

function weekdayName(day: Day, language: Language): string {
  return new Intl.DateTimeFormat(tagOf(language), { weekday: 'short' }).format(dateOf(day))
}
