import { Table, Text } from '@mantine/core'
import { useFormat } from '../../../format.ts'
import type { CampaignStatistics } from '../api.ts'
import { useStatisticsTexts } from './statistics-texts.ts'

/** How likely something is by chance alone; what is rarer than one in a thousand is only said to be so. */
export function useChance(): (chance: number) => string {
  const t = useStatisticsTexts()
  const format = useFormat()
  return (chance) => (chance < 0.001 ? t('less', { part: format.percent(0.001) }) : format.percent(chance))
}

/** How many did it, which share that is, and between which bounds the true one lies. */
export function ShareCell({ done, rate }: { done: number; rate: CampaignStatistics['total']['clickRate'] }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  return (
    <Table.Td ta="end" miw={120}>
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
    </Table.Td>
  )
}
