import { ActionIcon, Autocomplete, Button, Checkbox, Group, Paper, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { METRIC_KINDS, MOST_GUARDRAILS } from '@contentflow/core/experiments/metric.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useRead, useWrite } from '../../data.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { EXPERIMENTS, pathOf, type Experiment } from './api.ts'
import { Conditions } from '../segments/events/event-row.tsx'
import { bodyOf, draftOf, NEW_GUARDRAIL, type Draft, type TypedGuardrail, type TypedMetric } from './draft.ts'
import { useTexts } from './texts.ts'

/** Edits the metric, the guardrails and the plan of an experiment. */
export function SettingsDialog({ experiment, onClose }: { experiment: Experiment; onClose: () => void }) {
  const t = useTexts()
  const [draft, setDraft] = useState(() => draftOf(experiment))
  const [isRestart, setRestart] = useState(false)
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const body = bodyOf(draft)
  // Whoever is left out of a campaign names none.
  const mayName = experiment.subject !== 'control'
  const save = useWrite<{ body: object; isRestart: boolean }>(
    (sent) => ({ method: 'PUT', path: pathOf(experiment.id) + (sent.isRestart ? '?restart=true' : ''), body: sent.body }),
    { stale: [EXPERIMENTS], done: t('saved'), showsError: true },
  )
  return (
    <Dialog opened onClose={onClose} title={t('edit')} closeOnClickOutside={false} size="lg">
      <Stack>
        <TextInput
          label={t('name')}
          value={draft.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          maxLength={200}
          dir="auto"
        />
        <Textarea
          label={t('hypothesis')}
          value={draft.hypothesis}
          onChange={({ currentTarget }) => set({ hypothesis: currentTarget.value })}
          maxLength={2_000}
          autosize
          dir="auto"
        />
        <MetricFields metric={draft.metric} mayName={mayName} onChange={(metric) => set({ metric })} />
        <Guardrails guardrails={draft.guardrails} mayName={mayName} onChange={(guardrails) => set({ guardrails })} />
        {draft.metric.of === 'people' && <PlanFields plan={draft.plan} onChange={(plan) => set({ plan })} />}
        <Switch
          label={t('cuped')}
          description={t('cupedText')}
          checked={draft.cuped}
          onChange={({ currentTarget }) => set({ cuped: currentTarget.checked })}
        />
        {experiment.state !== 'planned' && (
          <Checkbox
            label={t('restart')}
            description={t('restartHelp')}
            checked={isRestart}
            onChange={({ currentTarget }) => setRestart(currentTarget.checked)}
          />
        )}
        {save.error && <Failure error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            disabled={!body}
            loading={save.isPending}
            onClick={() => body && save.mutate({ body, isRestart }, { onSuccess: onClose })}
          >
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

type MetricProps = { metric: TypedMetric; mayName: boolean; onChange: (metric: TypedMetric) => void }

function MetricFields({ metric, mayName, onChange }: MetricProps) {
  const t = useTexts()
  const { data } = useRead<{ types: { name: string }[] }>('/event-types', { limit: 100 })
  const kinds = METRIC_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-start">
        <Autocomplete
          label={t('event')}
          description={t('eventHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={metric.event}
          onChange={(event) => onChange({ ...metric, event })}
          data={[...new Set(data?.types.map(({ name }) => name))]}
          error={metric.event.trim() === '' ? t('eventNeeded') : undefined}
          maxLength={LIMITS.eventNameLength}
          flex="1 1 160px"
          dir="ltr"
        />
        <Select
          label={t('kind')}
          data={kinds}
          value={metric.of}
          onChange={(of) => onChange({ ...metric, of: METRIC_KINDS.find((kind) => kind === of) ?? metric.of })}
          allowDeselect={false}
          flex="1 1 180px"
        />
        <NumberField
          label={t('days')}
          value={metric.days}
          onChange={(days) => onChange({ ...metric, days })}
          min={1}
          max={30}
          isWhole
          isNeeded
          w={100}
        />
      </Group>
      <Conditions
        leaf={{ field: `events.${metric.event}`, operator: 'did', value: metric.where ? { where: metric.where } : {} }}
        onChange={({ value }) => onChange({ ...metric, where: value.where })}
      />
      {mayName && (
        <Checkbox
          label={t('namesIt')}
          checked={metric.namesIt}
          onChange={({ currentTarget }) => onChange({ ...metric, namesIt: currentTarget.checked })}
        />
      )}
    </Stack>
  )
}

type GuardrailsProps = { guardrails: TypedGuardrail[]; mayName: boolean; onChange: (guardrails: TypedGuardrail[]) => void }

function Guardrails({ guardrails, mayName, onChange }: GuardrailsProps) {
  const t = useTexts()
  const set = (index: number, part: Partial<TypedGuardrail>) =>
    onChange(guardrails.map((each, other) => (other === index ? { ...each, ...part } : each)))
  const directions = (['fall', 'rise'] as const).map((value) => ({ value, label: t(`direction_${value}`) }))
  return (
    <Stack gap="xs" role="group" aria-label={t('guardrails')}>
      <Text size="sm" fw={600}>
        {t('guardrails')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('guardrailsText')}
      </Text>
      {guardrails.map((guardrail, index) => (
        <Paper key={index} withBorder p="sm">
          <Stack gap="xs">
            <MetricFields metric={guardrail.metric} mayName={mayName} onChange={(metric) => set(index, { metric })} />
            <Group gap="xs" align="flex-end">
              <Select
                label={t('mustNot')}
                data={directions}
                value={guardrail.mustNot}
                onChange={(mustNot) => set(index, { mustNot: mustNot === 'rise' ? 'rise' : 'fall' })}
                allowDeselect={false}
                w={140}
              />
              <NumberField
                label={t('margin')}
                value={guardrail.margin}
                onChange={(margin) => set(index, { margin })}
                min={0}
                max={1_000_000_000}
                {...(guardrail.metric.of === 'people' && { suffix: '%' })}
                isNeeded
                w={140}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('removeGuardrail')}
                onClick={() => onChange(guardrails.filter((_, other) => other !== index))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Stack>
        </Paper>
      ))}
      {guardrails.length < MOST_GUARDRAILS && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...guardrails, NEW_GUARDRAIL])}
          >
            {t('addGuardrail')}
          </Button>
        </div>
      )}
    </Stack>
  )
}

function PlanFields({ plan, onChange }: { plan: Draft['plan']; onChange: (plan: Draft['plan']) => void }) {
  const t = useTexts()
  return (
    <Stack gap="xs">
      <Switch
        label={t('hasPlan')}
        checked={plan !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? { baseline: 5, effect: 20 } : undefined)}
      />
      {plan && (
        <Group gap="xs">
          <NumberField
            label={t('baseline')}
            value={plan.baseline}
            onChange={(baseline) => onChange({ ...plan, baseline })}
            min={0.01}
            max={99.99}
            suffix="%"
            isNeeded
            w={160}
          />
          <NumberField
            label={t('effect')}
            value={plan.effect}
            onChange={(effect) => onChange({ ...plan, effect })}
            min={0.1}
            max={1_000}
            suffix="%"
            isNeeded
            w={160}
          />
        </Group>
      )}
    </Stack>
  )
}
