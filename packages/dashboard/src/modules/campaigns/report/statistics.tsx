import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { VariantsTable } from '../../../ui/variants-table.tsx'
import { campaignApi, type Campaign, type CampaignStatistics } from '../api.ts'
import { ControlGroup } from './control-group.tsx'
import { Share, usePerHundred } from './share.tsx'
import { useStatisticsTexts } from './statistics-texts.ts'

type Numbers = CampaignStatistics['total']

/** What people did with it in the app, by variant and language, and what follows from it. */
export function Statistics({ campaign }: { campaign: Campaign }) {
  const t = useStatisticsTexts()
  const { workspace } = useSession()
  const every = campaign.status === 'active' ? 5_000 : 30_000
  const read = useRead<CampaignStatistics>(`${campaignApi(campaign.id)}/statistics`, {}, { every })
  const { data: statistics, error, refetch } = read
  if (error && !statistics) return <Failure error={error} onRetry={() => void refetch()} />
  if (!statistics) return null
  const hasVariants = statistics.variants.some(({ variantId }) => variantId !== null)
  const { controlGroup } = statistics
  const isCompared = Object.values(campaign.content).some(({ variants = [] }) => variants.length > 1)
  const link = isCompared && (
    <Anchor component={Link} size="sm" to={`/w/${workspace.id}/experiments/${encodeURIComponent(`campaign:${campaign.id}`)}`}>
      {t('experiment')}
    </Anchor>
  )
  return (
    <Section title={t('title')} text={t('text')} aside={link}>
      {statistics.total.seen === 0 ? (
        <Text>{t('nothing')}</Text>
      ) : (
        <>
          {hasVariants && <Verdicts statistics={statistics} />}
          <NumbersTable statistics={statistics} />
        </>
      )}
      {controlGroup && <ControlGroup groups={controlGroup} />}
    </Section>
  )
}

function Verdicts({ statistics: { clicks, conversions, sampleRatio } }: { statistics: CampaignStatistics }) {
  const t = useStatisticsTexts()
  if (sampleRatio?.isMismatch) return <Mismatch {...sampleRatio} />
  return (
    <Stack gap="xs">
      <Sentence of="clicks" verdict={clicks} />
      <Sentence of="conversions" verdict={conversions} />
      <Text size="xs" c="dimmed">
        {t('anyTime')}
      </Text>
    </Stack>
  )
}

function Sentence({ of, verdict }: { of: 'clicks' | 'conversions'; verdict: CampaignStatistics['clicks'] }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  const perHundred = usePerHundred()
  const said = () => {
    if (verdict.kind === 'too_few') return t('tooFew')
    if (verdict.kind === 'clear') {
      return t('clear', { best: verdict.best, than: verdict.than, low: perHundred(verdict.low), high: perHundred(verdict.high) })
    }
    const { needed } = verdict
    return `${t('open')} ${needed === undefined ? t('neededNever') : t('needed', { more: format.number(needed) })}`
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

/** Sizes that no chance explains: what differs between the groups then may be anything. */
function Mismatch({ groups }: NonNullable<CampaignStatistics['sampleRatio']>) {
  const t = useStatisticsTexts()
  const format = useFormat()
  return (
    <Alert color="yellow" title={t('mismatch')}>
      {t('mismatchText')}
      <List size="sm" mt="xs">
        {groups.map(({ variantId, seen, expected }) => (
          <List.Item key={variantId}>
            {t('mismatchOf', { variant: variantId, seen: format.number(seen), expected: format.number(Math.round(expected)) })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const clickedOf = ({ clicked, clickRate }: Numbers) => <Share done={clicked} rate={clickRate} />
const convertedOf = ({ converted, conversionRate }: Numbers) => <Share done={converted} rate={conversionRate} />

function NumbersTable({ statistics: { languages, total } }: { statistics: CampaignStatistics }) {
  const t = useStatisticsTexts()
  const format = useFormat()
  return (
    <VariantsTable<Numbers>
      label={t('numbers')}
      rows={languages}
      total={total}
      columns={[
        { title: t('seen'), cell: ({ seen }) => format.number(seen) },
        { title: t('clicked'), cell: clickedOf },
        { title: t('converted'), cell: convertedOf },
      ]}
      words={{
        variant: t('variant'),
        language: t('language'),
        noVariant: t('noVariant'),
        noLanguage: t('noLanguage'),
        all: t('all'),
      }}
    />
  )
}
