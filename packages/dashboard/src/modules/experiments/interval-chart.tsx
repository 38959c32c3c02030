import { Box, Group, Table, Text, useDirection } from '@mantine/core'
import { useFormat } from '../../format.ts'
import { Wide } from '../../ui/wide.tsx'
import type { Experiment } from './api.ts'
import { useTexts } from './texts.ts'
import { useAmount } from './words.ts'
import classes from './experiments.module.css'

type Day = { day: string; difference: number; low: number; high: number; units: number }
/** The picture is stretched to its place; lines keep their width. */
const [WIDTH, HEIGHT] = [1_000, 100]
/** Early intervals are so wide that those of later days would be a line: they are cut at so many times the last one. */
const MOST_TIMES = 3

/** Whether there is room for a label between those of both ends. */
const isBetween = (share: number) => share === 0 || share === 1 || (share > 0.12 && share < 0.88)

/** The interval of the difference up to each day, and the table of the same. Days run in the direction of reading. */
export function IntervalChart({ experiment }: { experiment: Experiment }) {
  const t = useTexts()
  const { subject, metric, verdict } = experiment
  const isOfPeople = subject === 'control'
  const days = experiment.series.flatMap(({ day, units, difference, low, high }): Day[] =>
    difference === null || low === null || high === null ? [] : [{ day, units, difference, low, high }],
  )
  if (verdict.kind === 'too_few' || days.length === 0) return <Text size="sm">{t(isOfPeople ? 'chartNoneOfPeople' : 'chartNone')}</Text>
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('chartText', { best: verdict.best, than: verdict.than })}
      </Text>
      <Picture days={days} metric={metric} />
      <DaysTable days={days} metric={metric} isOfPeople={isOfPeople} />
    </>
  )
}

function Picture({ days, metric }: { days: readonly Day[]; metric: Experiment['metric'] }) {
  const t = useTexts()
  const format = useFormat()
  const amount = useAmount(metric)
  const { dir } = useDirection()
  const last = days.at(-1)
  const first = days[0]
  if (!last || !first) return null
  const most = Math.min(
    Math.max(...days.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])),
    MOST_TIMES * Math.max(Math.abs(last.low), Math.abs(last.high)),
  )
  const share = (index: number) => (index + 0.5) / days.length
  const x = (index: number) => WIDTH * (dir === 'rtl' ? 1 - share(index) : share(index))
  const cut = (value: number) => Math.max(-most, Math.min(most, value))
  // Zero is always in the picture: whether the band holds it is what the picture says.
  const top = Math.max(0, ...days.map(({ high }) => cut(high)))
  const bottom = Math.min(0, ...days.map(({ low }) => cut(low)))
  const shareBelow = (value: number) => (top - cut(value)) / (top - bottom || 1)
  const y = (value: number) => HEIGHT * shareBelow(value)
  const along = (name: 'low' | 'high' | 'difference') => days.map((day, index) => `${x(index)},${y(day[name])}`)
  return (
    <div className={classes.chart} aria-hidden>
      <div className={classes.scale}>
        {top > 0 && <span style={{ top: 0 }}>{amount(top)}</span>}
        {bottom < 0 && (
          <span dir="ltr" style={{ top: '100%' }}>
            {amount(bottom)}
          </span>
        )}
        {isBetween(shareBelow(0)) && <span style={{ top: `${shareBelow(0) * 100}%` }}>{t('zero')}</span>}
      </div>
      <Box>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={classes.picture}>
          <polygon points={[...along('high'), ...along('low').toReversed()].join(' ')} className={classes.band} />
          {days.map(({ day, low, high }, index) => (
            <line key={day} x1={x(index)} x2={x(index)} y1={y(high)} y2={y(low)} className={classes.bar} />
          ))}
          <line x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} className={classes.zero} />
          <polyline points={along('difference').join(' ')} className={classes.line} />
        </svg>
        <Group justify={days.length === 1 ? 'center' : 'space-between'} gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed">
            {format.calendarDay(first.day)}
          </Text>
          {days.length > 1 && (
            <Text size="xs" c="dimmed">
              {format.calendarDay(last.day)}
            </Text>
          )}
        </Group>
      </Box>
    </div>
  )
}

type DaysProps = { days: readonly Day[]; metric: Experiment['metric']; isOfPeople: boolean }

function DaysTable({ days, metric, isOfPeople }: DaysProps) {
  const t = useTexts()
  const format = useFormat()
  const amount = useAmount(metric)
  return (
    <Wide label={t('chart')}>
      <Table aria-label={t('chart')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('day')}</Table.Th>
            <Table.Th ta="end">{t(isOfPeople ? 'people' : 'devices')}</Table.Th>
            <Table.Th ta="end">{t('difference')}</Table.Th>
            <Table.Th ta="end">{t('from')}</Table.Th>
            <Table.Th ta="end">{t('to')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map(({ day, units, difference, low, high }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" style={{ whiteSpace: 'nowrap' }}>
                {format.calendarDay(day)}
              </Table.Th>
              <Table.Td ta="end">{format.number(units)}</Table.Td>
              {[difference, low, high].map((value, place) => (
                <Table.Td key={place} ta="end">
                  <span dir="ltr">{amount(value)}</span>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
