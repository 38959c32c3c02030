import { Stack, Table, Text } from '@mantine/core'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { Wide } from '../../../ui/wide.tsx'
import { campaignApi, type Campaign, type CampaignStatistics } from '../api.ts'
import { ControlGroup } from './control-group.tsx'
import { ShareCell, useChance } from './share-cell.tsx'
import { useStatisticsTexts } from './statistics-texts.ts'

type Numbers = CampaignStatistics['total']

/** What people did with it in the app, by variant and language, and what follows from it. */
export function Statistics({ campaign }: { campaign: Campaign }) {
  const t = useStatisticsTexts()
  const every = campaign.status === 'active' ? 5_000 : 30_000
  const read = useRead<CampaignStatistics>(`${campaignApi(campaign.id)}/statistics`, {}, { every })
  const { data: statistics, error, refetch } = read
  if (error && !statistics) return <Failure error={error} onRetry={() => void refetch()} />
  if (!statistics) return null
  const hasVariants = statistics.variants.some(({ variantId }) => variantId !== null)
  const { controlGroup } = statistics
  return (
    <Section title={t('title')} text={t('text')}>
      {statistics.total.seen === 0 ? (
        <Text>{t('nothing')}</Text>
      ) : (
        <>
          {hasVariants && (
            <Stack gap="xs">
              <Sentence of="clicks" verdict={statistics.clicks} />
              <Sentence of="conversions" verdict={statistics.conversions} />
            </Stack>
          )}
          <NumbersTable statistics={statistics} />
        </>
      )}
      {controlGroup && <ControlGroup groups={controlGroup} />}
    </Section>
  )
}

function Sentence({ of, verdict }: { of: 'clicks' | 'conversions'; verdict: CampaignStatistics['clicks'] }) {
  const t = useStatisticsTexts()
  const chanceOf = useChance()
  const said = () => {
    if (verdict.kind === 'too_few') return t('tooFew')
    const chance = chanceOf(verdict.chance)
    if (verdict.kind === 'open') return t('open', { chance })
    const { best, than, isEarly } = verdict
    return `${t('clear', { best, than, chance })}${isEarly ? ` ${t('early')}` : ''}`
  }
  return (
    <Text>
      <Text span fw={600}>
        {t(of)}:{' '}
      </Text>
      {said()}
    </Text>
  )
}

function NumbersTable({ statistics: { languages, total } }: { statistics: CampaignStatistics }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  return (
    <Wide label={t('numbers')}>
      <Table aria-label={t('numbers')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('variant')}</Table.Th>
            <Table.Th>{t('language')}</Table.Th>
            <Table.Th ta="end">{t('seen')}</Table.Th>
            <Table.Th ta="end">{t('clicked')}</Table.Th>
            <Table.Th ta="end">{t('converted')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {languages.map(({ variantId, locale, ...numbers }) => (
            <Table.Tr key={JSON.stringify([variantId, locale])}>
              <Table.Th scope="row">{variantId === null ? t('noVariant') : <bdi>{variantId}</bdi>}</Table.Th>
              <Table.Td>{locale === null ? t('noLanguage') : format.language(locale)}</Table.Td>
              <Cells numbers={numbers} />
            </Table.Tr>
          ))}
        </Table.Tbody>
        {languages.length > 1 && (
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row" colSpan={2}>
                {t('all')}
              </Table.Th>
              <Cells numbers={total} />
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Wide>
  )
}

function Cells({ numbers }: { numbers: Numbers }) {
  const format = useFormat()
  return (
    <>
      <Table.Td ta="end">{format.number(numbers.seen)}</Table.Td>
      <ShareCell done={numbers.clicked} rate={numbers.clickRate} />
      <ShareCell done={numbers.converted} rate={numbers.conversionRate} />
    </>
  )
}
