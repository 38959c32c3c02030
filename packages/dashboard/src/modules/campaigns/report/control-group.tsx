import { Stack, Table, Text, Title } from '@mantine/core'
import { useFormat } from '../../../format.ts'
import type { CampaignStatistics } from '../api.ts'
import { Share, usePerHundred } from './share.tsx'
import { useStatisticsTexts } from './statistics-texts.ts'

type Groups = NonNullable<CampaignStatistics['controlGroup']>

/** The effect of the campaign: people who got it beside the control group. */
export function ControlGroup({ groups }: { groups: Groups }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  const { percent, reached, control, conversions } = groups
  const rows = [
    { name: t('group_reached'), group: reached },
    { name: t('group_control', { percent: format.percent(percent / 100) }), group: control },
  ]
  return (
    <Stack gap="xs">
      <div>
        <Title order={3}>{t('control')}</Title>
        <Text size="xs" c="dimmed">
          {t('controlText')}
        </Text>
      </div>
      <Text>
        <Sentence verdict={conversions} />
      </Text>
      <Table aria-label={t('control')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('group')}</Table.Th>
            <Table.Th ta="end">{t('people')}</Table.Th>
            <Table.Th ta="end">{t('converted')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, group }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td ta="end">{format.number(group.people)}</Table.Td>
              <Table.Td ta="end">
                <Share done={group.converted} rate={group.conversionRate} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}

function Sentence({ verdict }: { verdict: Groups['conversions'] }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  const perHundred = usePerHundred()
  if (verdict.kind === 'too_few') return t('controlFew')
  if (verdict.kind === 'clear') {
    const bounds = { low: perHundred(verdict.low), high: perHundred(verdict.high) }
    return t(verdict.best === 'reached' ? 'controlBetter' : 'controlWorse', bounds)
  }
  const { needed } = verdict
  return `${t('controlOpen')} ${needed === undefined ? t('neededNever') : t('controlNeeded', { more: format.number(needed) })}`
}
