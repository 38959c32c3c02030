import { Box, Center, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useFormat } from '../../format.ts'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { growth, SPANS, type Analytics, type Span } from './activity.ts'
import { useTexts } from './texts.ts'

const ActivityChart = lazy(async () => ({ default: (await import('./activity-chart.tsx')).ActivityChart }))
const CHART_HEIGHT = 240

type ActivityProps = { span: Span; onSpan: (span: string) => void; now: UseQueryResult<Analytics>; then: UseQueryResult<Analytics> }

/** Events over time, with the span before. */
export function Activity({ span, onSpan, now, then }: ActivityProps) {
  const t = useTexts()
  return (
    <Section
      title={t('events')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('span')}
          value={span}
          onChange={onSpan}
          data={SPANS.map((value) => ({ value, label: t(`span_${value}`) }))}
        />
      }
    >
      {now.error && !now.data ? (
        <Failure error={now.error} onRetry={() => void now.refetch()} />
      ) : (
        <Stack gap="md">
          <Figures span={span} now={now.data} then={then.data} />
          <Box h={CHART_HEIGHT}>
            {!now.data ? (
              <Skeleton height={CHART_HEIGHT} />
            ) : now.data.totals.total === 0 && !then.data?.totals.total ? (
              <Center h="100%">
                <Text c="dimmed" ta="center" maw={360}>
                  {t('noEvents')}
                </Text>
              </Center>
            ) : (
              <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
                <ActivityChart span={span} now={now.data} then={then.data} height={CHART_HEIGHT} />
              </Suspense>
            )}
          </Box>
          <Text size="sm" c="dimmed">
            {t(span === '24h' ? 'liveOnly' : 'utcDays')}
          </Text>
        </Stack>
      )}
    </Section>
  )
}

function Figures({ span, now, then }: { span: Span; now: Analytics | undefined; then: Analytics | undefined }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <SimpleGrid cols={3} spacing="sm">
      {(
        [
          ['allEvents', 'total'],
          ['impressions', 'impressions'],
          ['clicks', 'clicks'],
        ] as const
      ).map(([name, count]) => (
        <div key={name}>
          <Text size="sm" c="dimmed">
            {t(name)}
          </Text>
          {now ? (
            <Text fz="1.5rem" fw={650} lh={1.3} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {format.number(now.totals[count])}
            </Text>
          ) : (
            <Skeleton height={31} width={80} />
          )}
          <Growth
            span={span}
            isKnown={now !== undefined && then !== undefined}
            part={now && growth(now.totals[count], then?.totals[count])}
          />
        </div>
      ))}
    </SimpleGrid>
  )
}

/** Neither good nor bad: whether more clicks are welcome depends on what was tried. */
function Growth({ span, isKnown, part }: { span: Span; isKnown: boolean; part: number | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const Picture = (part ?? 0) < 0 ? IconTrendingDown : IconTrendingUp
  if (!isKnown) return <Skeleton height={20} mt={4} maw={140} />
  return (
    <Group gap={4} c="dimmed" wrap="nowrap" align="flex-start">
      {part !== undefined && part !== 0 && (
        <Picture size={14} aria-hidden className="cf-mirrored" style={{ flexShrink: 0, marginTop: 4 }} />
      )}
      <Text size="sm">
        {part === undefined
          ? t(`none_${span}`)
          : part === 0
            ? t(`same_${span}`)
            : t(`${part > 0 ? 'more' : 'less'}_${span}`, { part: format.percent(Math.abs(part)) })}
      </Text>
    </Group>
  )
}
