import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { Stack, Table, Text } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { useFormat } from '../../../format.ts'
import { directionOf, useLanguage } from '../../../i18n.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Wide } from '../../../ui/wide.tsx'
import type { ExploreResult } from '../api.ts'
import { useTexts } from '../texts.ts'
import { useGroupName } from './group-name.ts'

const COLORS = ['teal.7', 'blue.6', 'orange.7', 'grape.6', 'red.6', 'gray.6']

/** Lines over time, the largest ones drawn, all of them in the table. In right-to-left pages time runs to the left. */
export function ExploreView({ result }: { result: ExploreResult }) {
  const t = useTexts()
  const format = useFormat()
  const isRtl = directionOf(useLanguage()) === 'rtl'
  const groupName = useGroupName()
  const hasTypes = new Set(result.series.map(({ type }) => type)).size > 1
  const hasGroups = result.series.some(({ value, isOther }) => value !== null || isOther)
  const lines = result.series.map((line) => {
    const parts = [...(hasTypes || !hasGroups ? [line.type] : []), ...(hasGroups ? [groupName(line)] : [])]
    return { ...line, name: parts.join(' · ') }
  })
  const total = lines.reduce((sum, line) => sum + line.total, 0)
  if (total === 0) return <EmptyState icon={IconChartLine} title={t('noneTitle')} text={t('noneText')} />
  const isHourly = result.intervals.length > 1 && Date.parse(result.intervals[1]!) - Date.parse(result.intervals[0]!) < 86_400_000
  const name = (at: string) => (isHourly ? format.time(at) : format.calendarDay(at.slice(0, 10)))
  const drawn = lines.toSorted((a, b) => b.total - a.total).slice(0, COLORS.length)
  const data = result.intervals.map((at, index) => ({
    at: name(at),
    ...Object.fromEntries(drawn.map((line, number) => [`line${number}`, line.values[index] ?? 0])),
  }))
  return (
    <Stack>
      <div
        role="img"
        aria-label={t('chartSummary', { what: format.list(drawn.map((line) => line.name)), total: format.number(total) })}
        style={{ height: 300 }}
      >
        <LineChart
          h={300}
          data={data}
          dataKey="at"
          series={drawn.map((line, number) => ({ name: `line${number}`, label: line.name, color: COLORS[number]! }))}
          withLegend
          legendProps={{ verticalAlign: 'top' }}
          curveType="linear"
          withDots={data.length < 40}
          gridAxis="x"
          valueFormatter={format.number}
          xAxisProps={{ reversed: isRtl, minTickGap: 40, tickMargin: 8 }}
          yAxisProps={{ orientation: isRtl ? 'right' : 'left', tickFormatter: format.compact, width: 48 }}
          lineChartProps={{ accessibilityLayer: false }}
          lineProps={{ isAnimationActive: false }}
        />
      </div>
      {lines.length > drawn.length && (
        <Text size="sm" c="dimmed">
          {t('moreLines', { count: drawn.length })}
        </Text>
      )}
      <Wide label={t('table')} withBorder>
        <Table aria-label={t('table')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('time')}</Table.Th>
              {lines.map((line, index) => (
                <Table.Th key={index} ta="end">
                  <bdi>{line.name}</bdi>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr fw={600}>
              <Table.Th scope="row">{t('total')}</Table.Th>
              {lines.map((line, index) => (
                <Table.Td key={index} ta="end">
                  {format.number(line.total)}
                </Table.Td>
              ))}
            </Table.Tr>
            {result.intervals.map((at, row) => (
              <Table.Tr key={at}>
                <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                  {isHourly ? `${format.day(at)} ${format.time(at)}` : format.calendarDay(at.slice(0, 10))}
                </Table.Th>
                {lines.map((line, index) => (
                  <Table.Td key={index} ta="end">
                    {format.number(line.values[row] ?? 0)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Wide>
    </Stack>
  )
}
