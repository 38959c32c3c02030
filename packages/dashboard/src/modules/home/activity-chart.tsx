import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useFormat } from '../../format.ts'
import { directionOf, useLanguage } from '../../i18n.ts'
import { pointsOf, type Analytics, type Span } from './activity.ts'
import { useTexts } from './texts.ts'

type ActivityChartProps = { span: Span; now: Analytics; then: Analytics | undefined; height: number }

/** A column for each day or hour, and one beside it for the span before. In right-to-left pages time runs to the left. */
export function ActivityChart({ span, now, then, height }: ActivityChartProps) {
  const t = useTexts()
  const format = useFormat()
  const isRtl = directionOf(useLanguage()) === 'rtl'
  const name = (at: string) => (now.interval === 'hour' ? format.time(at) : format.calendarDay(at))
  const data = pointsOf(now, then).map(({ at, ...point }) => ({ ...point, at: name(at) }))
  const summary = t('chartSummary', {
    span: t(`last_${span}`),
    spanBefore: t(`before_${span}`),
    total: format.number(now.totals.total),
    before: then ? format.number(then.totals.total) : '–',
  })
  return (
    <div role="img" aria-label={summary} style={{ height }}>
      <BarChart
        h={height}
        data={data}
        dataKey="at"
        series={[
          { name: 'before', label: t(`before_${span}`), color: 'gray.4' },
          { name: 'current', label: t(`last_${span}`), color: 'teal.7' },
        ]}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 36 }}
        minBarSize={0}
        maxBarWidth={28}
        gridAxis="x"
        valueFormatter={format.number}
        xAxisProps={{ reversed: isRtl, minTickGap: 40, tickMargin: 8 }}
        yAxisProps={{ orientation: isRtl ? 'right' : 'left', tickFormatter: format.compact, width: 48, allowDecimals: false }}
        barChartProps={{ accessibilityLayer: false, barGap: 1 }}
        barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
      />
    </div>
  )
}
