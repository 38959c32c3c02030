import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useFormat } from '../../format.ts'
import { directionOf, useLanguage } from '../../i18n.ts'
import { pointsOf, type Analytics, type Span } from './activity.ts'
import { useTexts } from './texts.ts'

type ActivityChartProps = { span: Span; now: Analytics; then: Analytics | undefined; height: number }

/** One line for this span and a dashed one for the span before. In right-to-left pages time runs to the left. */
export function ActivityChart({ span, now, then, height }: ActivityChartProps) {
  const t = useTexts()
  const format = useFormat()
  const isRtl = directionOf(useLanguage()) === 'rtl'
  // Days are those of UTC: a time of day further west would name the day before.
  const name = (at: string) => (now.interval === 'hour' ? format.time(at) : format.day(`${at.slice(0, 10)}T12:00:00`))
  const data = pointsOf(now, then).map(({ at, ...point }) => ({ ...point, at: name(at) }))
  const summary = t('chartSummary', {
    span: t(`span_${span}`),
    total: format.number(now.totals.total),
    before: then ? format.number(then.totals.total) : t('noComparison'),
  })
  return (
    <div role="img" aria-label={summary} style={{ height }}>
      <LineChart
        h={height}
        data={data}
        dataKey="at"
        series={[
          { name: 'before', label: t('spanBefore'), color: 'gray.5', strokeDasharray: '5 5' },
          { name: 'current', label: t('thisSpan'), color: 'teal.7' },
        ]}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 36 }}
        withDots={false}
        curveType="monotone"
        gridAxis="x"
        valueFormatter={format.number}
        xAxisProps={{ reversed: isRtl, minTickGap: 40, tickMargin: 8 }}
        yAxisProps={{ orientation: isRtl ? 'right' : 'left', tickFormatter: format.compact, width: 48, allowDecimals: false }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  )
}
