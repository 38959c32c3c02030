import { Anchor, Group, Progress, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { InstanceResults } from '@contentflow/server/wire.ts'
import { useRead } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { useSession } from '../../../../session.tsx'
import { EnvironmentSwitch, useEnvironment } from '../../../../ui/environment.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useUrlChoice } from '../../../../ui/url-state.ts'
import { VariantsTable } from '../../../../ui/variants-table.tsx'
import { useExperiment } from '../../../experiments/api.ts'
import { Verdict } from '../../../experiments/verdict.tsx'
import { instancePath } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { useResultTexts } from './texts.ts'

type Counts = InstanceResults['total']
const SPANS = ['7', '30', '90'] as const
const DAY_MS = 86_400_000

/** What people did with the item: variants and languages, as a picture and as the table behind it. */
export function ResultsPanel() {
  const t = useResultTexts()
  const { instance } = useEditor()
  const [span, setSpan] = useUrlChoice('days', SPANS, '30')
  const [environment, setEnvironment] = useEnvironment()
  const from = new Date(Date.now() - (Number(span) - 1) * DAY_MS).toISOString().slice(0, 10)
  const path = `${instancePath(instance.blockKey, instance.id)}/results`
  const { data, error, refetch } = useRead<InstanceResults>(path, { from, environment }, { every: 15_000 })
  return (
    <Stack gap="md">
      {instance.variants.length > 1 && <ExperimentSection id={`instance:${instance.id}`} />}
      <Section title={t('title')} text={t('text')}>
        <Group gap="xs">
          <EnvironmentSwitch value={environment} onChange={setEnvironment} />
          <SegmentedControl
            aria-label={t('span')}
            value={span}
            onChange={setSpan}
            data={SPANS.map((value) => ({ value, label: t(`span_${value}`) }))}
          />
        </Group>
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {!error && !data && <Skeleton height={160} />}
        {data && <Results results={data} />}
      </Section>
    </Stack>
  )
}

/** The same as its page says, of devices that each count once. */
function ExperimentSection({ id }: { id: string }) {
  const t = useResultTexts()
  const { workspace } = useSession()
  const { data } = useExperiment(id)
  if (!data || data.state === 'planned') return null
  const link = (
    <Anchor component={Link} size="sm" to={`/w/${workspace.id}/experiments/${encodeURIComponent(id)}`}>
      {t('experiment')}
    </Anchor>
  )
  return (
    <Section title={t('verdict')} aside={link}>
      <Verdict experiment={data} />
    </Section>
  )
}

function Results({ results }: { results: InstanceResults }) {
  const t = useResultTexts()
  if (Object.values(results.total).every((count) => count === 0)) {
    return (
      <div>
        <Text fw={600}>{t('none')}</Text>
        <Text size="sm" c="dimmed">
          {t('noneText')}
        </Text>
      </div>
    )
  }
  return (
    <>
      <Picture results={results} />
      <ResultsTable results={results} />
    </>
  )
}

/** Clicks for each view, side by side. What it shows stands in the table too. */
function Picture({ results: { variants } }: { results: InstanceResults }) {
  const t = useResultTexts()
  const format = useFormat()
  const rated = variants.map((each) => ({ ...each, rate: each.impressions > 0 ? Math.min(each.clicks / each.impressions, 1) : 0 }))
  const most = Math.max(...rated.map(({ rate }) => rate), 0.000_001)
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('picture')}
      </Text>
      {rated.map(({ variantId, clicks, impressions, rate }) => (
        <div key={JSON.stringify(variantId)}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{variantId === null ? t('noVariant') : <bdi>{variantId}</bdi>}</Text>
            <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
              <Text span size="sm" c="dimmed">
                {t('share', { clicks: format.number(clicks), views: format.number(impressions) })}
              </Text>{' '}
              {impressions > 0 && format.percent(clicks / impressions)}
            </Text>
          </Group>
          <Progress value={(rate / most) * 100} size="lg" aria-hidden />
        </div>
      ))}
    </Stack>
  )
}

const COUNTS = [
  ['views', 'impressions'],
  ['clicks', 'clicks'],
  ['dismissals', 'dismissals'],
  ['conversions', 'conversions'],
] as const

function ResultsTable({ results: { languages, total } }: { results: InstanceResults }) {
  const t = useResultTexts()
  const format = useFormat()
  return (
    <VariantsTable<Counts>
      label={t('table')}
      rows={languages}
      total={total}
      columns={COUNTS.map(([title, count]) => ({ title: t(title), cell: (counts) => format.number(counts[count]) }))}
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
