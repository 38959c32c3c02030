import { Button, Paper, Skeleton, Stack, Text, Timeline } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useFirstRows } from '../../ui/first-rows.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Section } from '../../ui/section.tsx'
import { useTexts as useUiTexts } from '../../ui/texts.ts'
import { useTopicLabel } from './use-topic-label.ts'
import { useLedger, useMemberNames, type Subject } from './api.ts'
import { groupDecisions, labelOf, type Change, type Decision } from './decisions.ts'
import { Facts, type Fact } from './facts.tsx'
import { useTexts } from './texts.ts'

const FIRST_DECISIONS = 10

/** The person's decisions and their times, with the text that was shown. */
export function ConsentTimeline({ subject }: { subject: Subject }) {
  const t = useTexts()
  const ui = useUiTexts()
  const pages = useLedger(subject)
  const members = useMemberNames()
  const decisions = groupDecisions(pages.items)
  const { shown, more } = useFirstRows(decisions, t('timeline'), FIRST_DECISIONS)
  return (
    <Section title={t('timeline')}>
      {pages.error && <Failure error={pages.error} onRetry={pages.retry} />}
      {pages.isLoading && <Skeleton height={160} />}
      {!pages.isLoading && decisions.length === 0 && !pages.error && (
        <Text size="sm" c="dimmed">
          {t('noDecisions')}
        </Text>
      )}
      <Timeline bulletSize={14} lineWidth={2} active={shown.length}>
        {shown.map((decision) => (
          <Timeline.Item key={decision.key} title={<SourceWords decision={decision} />}>
            <DecisionBody decision={decision} members={members} />
          </Timeline.Item>
        ))}
      </Timeline>
      {more}
      {!more && pages.hasMore && (
        <Button variant="default" onClick={pages.loadMore} loading={pages.isMoreLoading} style={{ alignSelf: 'start' }}>
          {ui('showMore')}
        </Button>
      )}
    </Section>
  )
}

const SOURCES = [
  'identify',
  'consent',
  'consent_full',
  'merge',
  'bulk',
  'suppress',
  'unsuppress',
  'opt_out',
  'unsubscribe',
  'confirm_email',
  'browser_signal',
  'inbound',
  'preferences',
  'erase',
] as const

function SourceWords({ decision: { source } }: { decision: Decision }) {
  const t = useTexts()
  const known = SOURCES.find((each) => each === source)
  return (
    <Text size="sm" fw={600}>
      {known ? t(`source_${known}`) : t('source_unknown', { source })}
    </Text>
  )
}

function DecisionBody({ decision, members }: { decision: Decision; members: ReadonlyMap<string, string> }) {
  const t = useTexts()
  const format = useFormat()
  const { recordedAt, keyId, preset, presetVersion, locale, textHash, changes } = decision
  const member = members.get(keyId)
  const shown: Fact[] = [
    ...fact(t('preset'), preset, (name) => <bdi className="cf-code">{name}</bdi>),
    ...fact(t('presetVersion'), presetVersion, (version) => <bdi>{version}</bdi>),
    ...fact(t('locale'), locale, format.language),
    ...fact(t('key'), member ? null : keyId, (id) => <bdi className="cf-code">{id}</bdi>),
    ...fact(t('textHash'), textHash, (hash) => <CopyField value={hash} label={t('textHash')} />),
  ]
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed">
        <Moment at={recordedAt} exact /> · {member ? t('byMember', { name: member }) : t('byKey')}
      </Text>
      <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {changes.map((change) => (
          <ChangeLine key={JSON.stringify(change.about)} change={change} preset={preset} />
        ))}
      </Stack>
      {shown.length > 0 && (
        <Paper p="xs" bg="var(--cf-ground)">
          <Facts facts={shown} />
        </Paper>
      )}
    </Stack>
  )
}

/** One fact; none where nothing is known. */
function fact(name: string, value: string | null, show: (value: string) => ReactNode): Fact[] {
  return value === null ? [] : [[name, show(value)]]
}

function ChangeLine({ change, preset }: { change: Change; preset: string | null }) {
  const t = useTexts()
  const what = useAboutWords(change, preset)
  const said = (value: boolean | null) => t(value === null ? 'neverAsked' : value ? 'yes' : 'no')
  return (
    <Text component="li" size="sm">
      {what}{' '}
      <Text span fw={600}>
        {said(change.newValue)}
      </Text>{' '}
      <Text span size="xs" c="dimmed">
        {t('before', { value: said(change.oldValue) })}
      </Text>
    </Text>
  )
}

function useAboutWords({ about }: Change, preset: string | null): string {
  const t = useTexts()
  const language = useLanguage()
  const format = useFormat()
  const topicLabel = useTopicLabel()
  switch (about.kind) {
    case 'channel':
      return t(`channel_${about.channel}`)
    case 'waiting':
      return t('about_waiting', { channel: t(`channel_${about.channel}`) })
    case 'topic':
      return topicLabel(about.id) ?? labelOf(about.kind, about.id, preset, language)
    case 'required':
      return labelOf(about.kind, about.id, preset, language)
    case 'frequency':
      return t('about_frequency', { formatted: format.number(about.limit) })
    case 'other':
      return about.id
    default:
      return t(`about_${about.kind}`)
  }
}
