import { Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconDeviceFloppy, IconDownload, IconPlayerPlay, IconZoomQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../format.ts'
import { saveFile } from '../../files/save-file.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Environment } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import {
  useAnswer,
  type Definition,
  type Explore,
  type Funnel,
  type QuestionKind,
  type Report,
  type Result,
  type Retention,
} from './api.ts'
import { answerCsv } from '@contentflow/core/analysis/csv.ts'
import { ExploreForm, FunnelForm, RetentionForm } from './fields/forms.tsx'
import { SaveDialog } from './reports/save-dialog.tsx'
import { ExploreView } from './results/explore-result.tsx'
import { FunnelView } from './results/funnel-result.tsx'
import { RetentionView } from './results/retention-result.tsx'
import { useTexts } from './texts.ts'

type QuestionProps = { kind: QuestionKind; initial: Definition; saved?: Report; environment: Environment }

/** The definition beside its answer. A saved one is answered at once. */
export function Question({ kind, initial, saved, environment }: QuestionProps) {
  const t = useTexts()
  const { mayEdit } = useSession()
  const [draft, setDraft] = useState(initial)
  const [asked, setAsked] = useState(saved && initial)
  const [isSaving, setSaving] = useState(false)
  const answer = useAnswer<Result>(kind, asked, environment)
  const isWhole = isComplete(kind, draft)
  return (
    <Grid gap="lg" align="start">
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Section title={saved?.name ?? t('question')}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (asked === draft) void answer.refetch()
              setAsked(draft)
            }}
          >
            <Stack>
              <Form kind={kind} value={draft} environment={environment} onChange={setDraft} />
              <Group gap="xs">
                <Button
                  type="submit"
                  disabled={!isWhole}
                  loading={answer.isFetching}
                  leftSection={<IconPlayerPlay size={16} aria-hidden />}
                >
                  {t('show')}
                </Button>
                {mayEdit && (
                  <Button
                    variant="default"
                    disabled={!isWhole}
                    onClick={() => setSaving(true)}
                    leftSection={<IconDeviceFloppy size={16} aria-hidden />}
                  >
                    {saved ? t('saveChanges') : t('save')}
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Section title={t('result')} aside={answer.data && <Download kind={kind} result={answer.data} />}>
          <div aria-live="polite" aria-busy={answer.isFetching}>
            <Answer kind={kind} answer={answer} asked={asked} environment={environment} />
          </div>
        </Section>
      </Grid.Col>
      {isSaving && <SaveDialog kind={kind} definition={draft} saved={saved} onClose={() => setSaving(false)} />}
    </Grid>
  )
}

type FormProps = { kind: QuestionKind; value: Definition; environment: Environment; onChange: (value: Definition) => void }

function Form({ kind, value, ...rest }: FormProps) {
  switch (kind) {
    case 'explore':
      return <ExploreForm value={value as Explore} {...rest} />
    case 'funnel':
      return <FunnelForm value={value as Funnel} {...rest} />
    case 'retention':
      return <RetentionForm value={value as Retention} {...rest} />
    default:
      return kind satisfies never
  }
}

function isComplete(kind: QuestionKind, definition: Definition): boolean {
  switch (kind) {
    case 'explore':
      return (definition as Explore).types.length > 0
    case 'funnel':
      return (definition as Funnel).steps.every(({ type }) => type !== '')
    case 'retention': {
      const { start, return: back, periods } = definition as Retention
      return start.type !== '' && back.type !== '' && Number.isInteger(periods)
    }
    default:
      return kind satisfies never
  }
}

type AnswerProps = {
  kind: QuestionKind
  answer: ReturnType<typeof useAnswer<Result>>
  asked: Definition | undefined
  environment: Environment
}

function Answer({ kind, answer, asked, environment }: AnswerProps) {
  const t = useTexts()
  const format = useFormat()
  if (answer.error) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  if (!asked) return <EmptyState icon={IconZoomQuestion} title={t('emptyTitle')} text={t('emptyText')} />
  const result = answer.data
  if (!result || result.kind !== kind) return <Skeleton h={300} />
  return (
    <Stack>
      {result.kind === 'explore' && <ExploreView result={result} />}
      {result.kind === 'funnel' && <FunnelView result={result} definition={asked as Funnel} environment={environment} />}
      {result.kind === 'retention' && <RetentionView result={result} />}
      <Text size="xs" c="dimmed">
        {t('asOf', { at: format.moment(result.asOf) })}
        {result.membersAsOf && ` ${t('membersAsOf', { at: format.moment(result.membersAsOf) })}`}
        {result.sampled && ` ${t('sampled', { share: format.percent(result.sampled.parts / result.sampled.of) })}`}
      </Text>
    </Stack>
  )
}

function Download({ kind, result }: { kind: QuestionKind; result: Result }) {
  const t = useTexts()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => saveFile(`${kind}.csv`, new Blob([answerCsv(result)], { type: 'text/csv' }))}
    >
      {t('csv')}
    </Button>
  )
}
