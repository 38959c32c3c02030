import { Anchor, Group, Text, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useCalendar } from '../../calendar.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Section } from '../../ui/section.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { instancePath, type Turn } from '../content/api.ts'
import { dayNumber, dayOf, daysFrom, type Day } from '../content/month.ts'
import { TurnMark } from '../content/turn-mark.tsx'
import { useInstanceName } from '../content/use-instance-name.ts'
import { useTexts } from './texts.ts'
import classes from './home.module.css'

const DAYS = 14
/** Starts and ends that are listed before the calendar is the better place. */
const LISTED = 6

// Loaded only where a campaign waits for its start.
const NextCampaigns = lazy(async () => ({ default: (await import('./next-campaigns.tsx')).NextCampaigns }))

/** Starts and ends of the next days, on a strip of days and as a list. A day can be chosen. */
export function NextDays({ upcoming, campaigns }: { upcoming: Turn[]; campaigns: number }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const nameOf = useTurnName()
  const [chosen, setChosen] = useState<Day>()
  const { timeZone } = useCalendar()
  const dayAt = (at: string | Date) => dayOf(new Date(at), timeZone)
  const days = daysFrom(dayAt(new Date()), DAYS)
  const byDay = Map.groupBy(upcoming, ({ at }) => dayAt(at))
  const soon = upcoming.filter(({ at }) => days.includes(dayAt(at)))
  const later = upcoming[soon.length]
  const listed = chosen === undefined ? soon : (byDay.get(chosen) ?? [])
  return (
    <Section
      title={t('next')}
      aside={
        <Anchor component={Link} to={`/w/${workspace.id}/content?view=calendar`} size="sm">
          {t('openCalendar')}
        </Anchor>
      }
    >
      <ul className={classes.strip}>
        {days.map((day) => (
          <li key={day}>
            <DayButton
              day={day}
              turns={byDay.get(day) ?? []}
              isChosen={chosen === day}
              onChoose={() => setChosen(chosen === day ? undefined : day)}
            />
          </li>
        ))}
      </ul>
      {soon.length + campaigns === 0 && <Text c="dimmed">{t('nothingNext')}</Text>}
      <ul className={classes.rows}>
        {listed.slice(0, LISTED).map((turn) => (
          <li key={turn.instanceId + turn.change + turn.at}>
            <UpcomingTurn turn={turn} />
          </li>
        ))}
      </ul>
      <Suspense>{campaigns > 0 && <NextCampaigns />}</Suspense>
      {listed.length > LISTED && (
        <Anchor component={Link} to={`/w/${workspace.id}/content?view=calendar`} size="sm">
          {t('moreNext', { count: listed.length - LISTED, formatted: format.number(listed.length - LISTED) })}
        </Anchor>
      )}
      <Text size="sm" c="dimmed">
        {later && `${t('laterOne', { name: nameOf(later), change: t(later.change), at: format.moment(later.at) })} `}
        {t('zone', { zone: timeZone })}
      </Text>
    </Section>
  )
}

type DayButtonProps = { day: Day; turns: Turn[]; isChosen: boolean; onChoose: () => void }

function DayButton({ day, turns, isChosen, onChoose }: DayButtonProps) {
  const t = useTexts()
  const format = useFormat()
  const hijri = format.hijriDay(day)
  const counts = (['starts', 'ends', 'publishes'] as const).map((change) => ({
    change,
    count: turns.filter((turn) => turn.change === change).length,
  }))
  const words = counts
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => t(`${change}Count`, { count, formatted: format.number(count) }))
  return (
    <UnstyledButton className={classes.day} aria-pressed={isChosen} disabled={turns.length === 0} onClick={onChoose}>
      <span className={classes.weekday}>{format.weekday(day)}</span>
      <span className={classes.date}>
        {dayNumber(day)}
        {hijri !== undefined && <span className={classes.hijri}>{hijri}</span>}
      </span>
      <span className={classes.marks}>{counts.map(({ change, count }) => count > 0 && <TurnMark key={change} change={change} />)}</span>
      <span className="cf-visually-hidden">{words.length > 0 ? format.list(words) : t('nothingOnDay')}</span>
    </UnstyledButton>
  )
}

function UpcomingTurn({ turn }: { turn: Turn }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const nameOf = useTurnName()
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Group gap="xs" wrap="nowrap" miw={0}>
        <TurnMark change={turn.change} />
        <div style={{ minWidth: 0 }}>
          <Anchor
            component={Link}
            to={instancePath(workspace.id, turn.blockKey, turn.instanceId)}
            c="inherit"
            size="sm"
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {nameOf(turn)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t(turn.change)} · <time dateTime={turn.at}>{format.moment(turn.at)}</time>
          </Text>
        </div>
      </Group>
      {!turn.isLive && <StateBadge state="test" />}
    </Group>
  )
}

function useTurnName(): (turn: Turn) => string {
  const nameOf = useInstanceName()
  return ({ title, label, blockName }) => nameOf({ title, label, id: '' }) || blockName
}
