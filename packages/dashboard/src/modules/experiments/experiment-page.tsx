import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { useSession } from '../../session.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { useExperiment, type Experiment } from './api.ts'
import { DecideDialog } from './decide-dialog.tsx'
import { GroupsSection, GuardrailsSection, LanguagesSection } from './groups-section.tsx'
import { IntervalChart } from './interval-chart.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { useTexts } from './texts.ts'
import { Verdict } from './verdict.tsx'
import { useNamed } from './words.ts'

/** One experiment: what it says, how it came to that, and what is decided. */
export function ExperimentPage() {
  const t = useTexts()
  const { workspace } = useSession()
  const { id = '' } = useParams()
  const read = useExperiment(id)
  const path = [{ label: t('title'), to: `/w/${workspace.id}/experiments` }]
  return (
    <LoadedPage read={read} title={t('title')} path={path} failed={t('failed')}>
      {(experiment) => (
        <Page
          title={experiment.name}
          path={path}
          subtitle={<Subtitle experiment={experiment} />}
          actions={<Actions experiment={experiment} />}
        >
          <Body experiment={experiment} />
        </Page>
      )}
    </LoadedPage>
  )
}

function Body({ experiment: read }: { experiment: Experiment }) {
  const t = useTexts()
  const experiment = useNamed(read)
  return (
    <>
      <Decided experiment={experiment} />
      <Section title={t('verdict')}>
        <Verdict experiment={experiment} />
      </Section>
      <Section title={t('chart')}>
        <IntervalChart experiment={experiment} />
      </Section>
      <GroupsSection experiment={experiment} />
      <GuardrailsSection experiment={experiment} />
      <LanguagesSection experiment={experiment} />
    </>
  )
}

function Subtitle({ experiment: { state, run, startedAt, hypothesis } }: { experiment: Experiment }) {
  const t = useTexts()
  return (
    <Stack gap={2}>
      <span>
        {t(`state_${state}`)} · {t('run', { number: run })}
        {startedAt && (
          <>
            {' · '}
            <Moment at={startedAt} />
          </>
        )}
      </span>
      {hypothesis !== '' && <bdi>{hypothesis}</bdi>}
    </Stack>
  )
}

function Actions({ experiment }: { experiment: Experiment }) {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const [open, setOpen] = useState<'settings' | 'decide'>()
  const close = () => setOpen(undefined)
  const { subject, subjectId, blockKey, state } = experiment
  const place =
    subject !== 'instance'
      ? `campaigns/${encodeURIComponent(subjectId)}`
      : blockKey && `content/${encodeURIComponent(blockKey)}/${encodeURIComponent(subjectId)}`
  return (
    <>
      {place && (
        <Button variant="subtle" component={Link} to={`/w/${workspace.id}/${place}`}>
          {t(`open_${subject}`)}
        </Button>
      )}
      {mayEdit && (
        <Button variant="default" onClick={() => setOpen('settings')}>
          {t('edit')}
        </Button>
      )}
      {mayEdit && state === 'running' && <Button onClick={() => setOpen('decide')}>{t('decide')}</Button>}
      {open === 'settings' && <SettingsDialog experiment={experiment} onClose={close} />}
      {open === 'decide' && <DecideDialog experiment={experiment} onClose={close} />}
    </>
  )
}

function Decided({ experiment: { decision, state } }: { experiment: Experiment }) {
  const t = useTexts()
  if (state !== 'decided' || !decision) return null
  const { variant, note, at, editRequestId } = decision
  return (
    <Alert color="green" title={variant === null ? t('decidedNone') : t('decidedFor', { variant })}>
      {note !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{note}</bdi>
        </Text>
      )}
      {editRequestId !== undefined && <Text size="sm">{t('decidedAsked')}</Text>}
      <Text size="xs">
        <Moment at={at} />
      </Text>
    </Alert>
  )
}
