/** The definitions of the three kinds of questions. */
import { ActionIcon, Button, Group, Paper, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import type { Environment } from '../../../ui/environment.tsx'
import { useFieldsOf, type Choice, type Explore, type Funnel, type Retention } from '../api.ts'
import { useTexts } from '../texts.ts'
import { ByField, ChoiceField, PeriodField, SegmentField, TypeField, TypesField, useFieldName } from './choices.tsx'
import { Conditions } from './conditions.tsx'
import { without } from './without.ts'

type FormProps<T> = { value: T; environment: Environment; onChange: (value: T) => void }

export function ExploreForm({ value, environment, onChange }: FormProps<Explore>) {
  const t = useTexts()
  const name = useFieldName()
  const fields = useFieldsOf(value.types, environment)
  const set = (changed: Partial<Explore>) => onChange(without({ ...value, ...changed }))
  const metrics = (['events', 'people', 'sum'] as const).map((metric) => ({ value: metric, label: t(`metric_${metric}`) }))
  const intervals = (['hour', 'day', 'week'] as const).map((interval) => ({ value: interval, label: t(`interval_${interval}`) }))
  return (
    <Stack gap="sm">
      <TypesField value={value.types} onChange={(types) => set({ types })} />
      <Conditions value={value.where} fields={fields} onChange={(where) => set({ where })} />
      <Group grow gap="xs" align="start">
        <ChoiceField
          label={t('metric')}
          data={metrics}
          value={value.metric}
          onChange={(metric) => set({ metric, measure: metric === 'sum' ? (value.measure ?? fields.measures[0]) : undefined })}
        />
        {value.metric === 'sum' && (
          <ChoiceField
            label={t('measure')}
            data={fields.measures.map((field) => ({ value: field, label: name(field) }))}
            value={value.measure ?? 'value'}
            onChange={(measure) => set({ measure })}
          />
        )}
      </Group>
      <Group grow gap="xs" align="start">
        <PeriodField
          value={value.days}
          onChange={(days) => set({ days, ...(days > 31 && value.interval === 'hour' && { interval: 'day' }) })}
        />
        <ChoiceField
          label={t('interval')}
          data={intervals}
          value={value.interval}
          onChange={(interval) => set({ interval, ...(interval === 'hour' && { days: Math.min(value.days, 30) }) })}
        />
      </Group>
      <ByField value={value.by} fields={fields} onChange={(by) => set({ by })} />
      <SegmentField value={value.segment} onChange={(segment) => set({ segment })} />
    </Stack>
  )
}

const WINDOWS = [60, 1_440, 10_080, 43_200] as const
const MOST_STEPS = 10

export function FunnelForm({ value, environment, onChange }: FormProps<Funnel>) {
  const t = useTexts()
  const { steps } = value
  const types = steps.map(({ type }) => type).filter((type) => type !== '')
  const fields = useFieldsOf([...new Set(types)], environment)
  const set = (changed: Partial<Funnel>) => onChange(without({ ...value, ...changed }))
  const orders = (['in_order', 'any_order'] as const).map((order) => ({ value: order, label: t(`order_${order}`) }))
  return (
    <Stack gap="sm">
      {steps.map((step, index) => (
        <Paper key={index} withBorder p="sm">
          <Group gap={6} wrap="nowrap" align="start">
            <Stack gap="xs" flex={1} miw={0}>
              <ChoiceFields
                label={t('step', { number: index + 1 })}
                value={step}
                environment={environment}
                onChange={(next) => set({ steps: steps.with(index, next) })}
              />
            </Stack>
            {steps.length > 2 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('removeStep', { number: index + 1 })}
                onClick={() => set({ steps: steps.toSpliced(index, 1) })}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </Paper>
      ))}
      {steps.length < MOST_STEPS && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set({ steps: [...steps, { type: '' }] })}
          w="fit-content"
        >
          {t('addStep')}
        </Button>
      )}
      <Group grow gap="xs" align="start">
        <PeriodField value={value.days} onChange={(days) => set({ days })} />
        <ChoiceField
          label={t('within')}
          data={WINDOWS.map((minutes) => ({ value: minutes as number, label: t(`within_${minutes}`) }))}
          value={value.withinMinutes}
          onChange={(withinMinutes) => set({ withinMinutes })}
        />
      </Group>
      <ChoiceField label={t('order')} data={orders} value={value.order} onChange={(order) => set({ order })} />
      <ByField value={value.by} fields={fields} onChange={(by) => set({ by })} />
      <SegmentField value={value.segment} onChange={(segment) => set({ segment })} />
    </Stack>
  )
}

const MOST_PERIODS = 30

export function RetentionForm({ value, environment, onChange }: FormProps<Retention>) {
  const t = useTexts()
  const set = (changed: Partial<Retention>) => onChange(without({ ...value, ...changed }))
  const units = (['day', 'week', 'month'] as const).map((unit) => ({ value: unit, label: t(`unit_${unit}`) }))
  return (
    <Stack gap="sm">
      <ChoiceFields label={t('start')} value={value.start} environment={environment} onChange={(start) => set({ start })} />
      <ChoiceFields label={t('return')} value={value.return} environment={environment} onChange={(back) => set({ return: back })} />
      <Group grow gap="xs" align="start">
        <ChoiceField label={t('unit')} data={units} value={value.unit} onChange={(unit) => set({ unit })} />
        <NumberField
          label={t('periods')}
          value={value.periods}
          min={1}
          max={MOST_PERIODS}
          isWhole
          isNeeded
          onChange={(periods) => set({ periods: periods ?? Number.NaN })}
        />
      </Group>
      <SegmentField value={value.segment} onChange={(segment) => set({ segment })} />
    </Stack>
  )
}

type ChoiceFieldsProps = { label: string; value: Choice; environment: Environment; onChange: (choice: Choice) => void }

/** A type, and what its events have to be like. */
function ChoiceFields({ label, value, environment, onChange }: ChoiceFieldsProps) {
  const fields = useFieldsOf(value.type === '' ? [] : [value.type], environment)
  return (
    <>
      <TypeField label={label} value={value.type} onChange={(type) => onChange({ type })} />
      {value.type !== '' && <Conditions value={value.where} fields={fields} onChange={(where) => onChange(without({ ...value, where }))} />}
    </>
  )
}
