import { Box, Text } from '@mantine/core'
import { useFormat } from '../../../format.ts'
import type { CampaignStatistics } from '../api.ts'
import { useStatisticsTexts } from './statistics-texts.ts'

/** Of a hundred: a bound of a difference of shares, as a number with one digit behind the point. */
export function usePerHundred(): (share: number) => string {
  const format = useFormat()
  return (share) => format.number(Math.round(share * 1_000) / 10)
}

/** How many did it, which share that is, and between which bounds the true one lies. */
export function Share({ done, rate }: { done: number; rate: CampaignStatistics['total']['clickRate'] }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  return (
    <Box miw={104}>
      {format.number(done)}
      {rate && (
        <>
          {' · '}
          {format.percent(rate.rate)}
          <Text size="xs" c="dimmed">
            {t('range', { low: format.percent(rate.low), high: format.percent(rate.high) })}
          </Text>
        </>
      )}
    </Box>
  )
}
