/** Events as a journey names them: of its trigger, waited for, ending a run, or its goal. */
import { Autocomplete, Checkbox, Stack, TextInput } from '@mantine/core'
import type { EventPattern, KeyedPattern, Step, Trigger } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useKnownTypes } from '../../events/api.ts'
import { Conditions, SUGGESTED } from '../../segments/events/event-row.tsx'
import { useEditor } from '../editor-context.tsx'
import { useEventTexts } from '../texts-events.ts'
import { DurationFields } from './duration-fields.tsx'

type PatternProps<P> = { pattern: P; onChange: (next: P, mark?: string) => void }

/** Its type and its conditions. */
function PatternFields<P extends EventPattern>({ pattern, onChange }: PatternProps<P>) {
  const t = useEventTexts()
  const known = useKnownTypes().data?.types.map(({ name }) => name) ?? []
  const leaf = { field: `events.${pattern.event}` as const, operator: 'did' as const, value: pattern.where ? { where: pattern.where } : {} }
  return (
    <>
      <Autocomplete
        label={t('event')}
        placeholder={t('eventHint')}
        dir="auto"
        data={[...new Set([...known, ...SUGGESTED])]}
        value={pattern.event}
        onChange={(event) => onChange({ ...pattern, event }, 'event')}
        maxLength={LIMITS.eventNameLength}
      />
      <Conditions
        leaf={leaf}
        onChange={({ value }) => {
          const { where: _, ...others } = pattern
          onChange((value.where ? { ...others, where: value.where } : others) as P, 'where')
        }}
      />
    </>
  )
}

/** Whether it has to be of the same cart, order or booking. */
export function KeyedFields<P extends KeyedPattern>({ pattern, onChange }: PatternProps<P>) {
  const t = useEventTexts()
  const { trigger } = useEditor().draft
  const key = trigger.type === 'custom_event' ? trigger.key : undefined
  const setKey = (isSame: boolean, keyProperty?: string) => {
    const { sameKey: _, keyProperty: __, ...others } = pattern
    onChange({ ...others, ...(isSame && { sameKey: true }), ...(isSame && keyProperty && { keyProperty }) } as P, 'key')
  }
  return (
    <>
      <PatternFields pattern={pattern} onChange={onChange} />
      {(key !== undefined || pattern.sameKey) && (
        <Checkbox
          label={t('sameKey', { key: key ?? '' })}
          checked={pattern.sameKey ?? false}
          onChange={({ currentTarget }) => setKey(currentTarget.checked)}
        />
      )}
      {pattern.sameKey && (
        <TextInput
          label={t('keyProperty')}
          placeholder={key}
          value={pattern.keyProperty ?? ''}
          onChange={({ currentTarget }) => setKey(true, currentTarget.value)}
          maxLength={200}
          dir="auto"
        />
      )}
    </>
  )
}

export function CustomEventFields({
  trigger,
  onChange,
}: {
  trigger: Extract<Trigger, { type: 'custom_event' }>
  onChange: (next: Trigger, mark?: string) => void
}) {
  const t = useEventTexts()
  return (
    <>
      <PatternFields pattern={trigger} onChange={onChange} />
      <TextInput
        label={t('key')}
        description={t('keyHelp')}
        placeholder={t('keyHint')}
        value={trigger.key ?? ''}
        onChange={({ currentTarget }) => {
          const { key: _, ...others } = trigger
          onChange(currentTarget.value === '' ? others : { ...others, key: currentTarget.value }, 'key')
        }}
        maxLength={200}
        dir="auto"
      />
    </>
  )
}

export function WaitForFields({
  step,
  onChange,
}: {
  step: Extract<Step, { type: 'wait_for' }>
  onChange: (next: Step, mark?: string) => void
}) {
  const t = useEventTexts()
  return (
    <Stack gap="sm">
      <KeyedFields pattern={step} onChange={onChange} />
      <DurationFields
        label={t('timeout')}
        minutes={step.timeoutMinutes}
        onChange={(timeoutMinutes) => onChange({ ...step, timeoutMinutes }, 'timeout')}
      />
    </Stack>
  )
}
