/** The choices that all questions have. */
import { MultiSelect, Select, Text } from '@mantine/core'
import { BY_SEGMENT } from '@contentflow/core/analysis/question.ts'
import { useSegments, useTypes, type Fields } from '../api.ts'
import { useTexts } from '../texts.ts'

/** Names from the catalogue; a type that a report names stays, also where it is not on the list any more. */
function useTypeNames(chosen: readonly string[]): string[] {
  const { data } = useTypes()
  return [...new Set([...(data?.types ?? []).map(({ name }) => name), ...chosen])]
}

export function TypesField({ value, onChange }: { value: string[]; onChange: (types: string[]) => void }) {
  const t = useTexts()
  const names = useTypeNames(value)
  return (
    <MultiSelect
      label={t('events')}
      description={t('eventsHelp')}
      data={names}
      value={value}
      onChange={onChange}
      searchable
      maxValues={10}
      limit={100}
      nothingFoundMessage={t('noTypes')}
      hidePickedOptions
    />
  )
}

export function TypeField({ label, value, onChange }: { label: string; value: string; onChange: (type: string) => void }) {
  const t = useTexts()
  const names = useTypeNames(value === '' ? [] : [value])
  return (
    <Select
      label={label}
      data={names}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      searchable
      limit={100}
      nothingFoundMessage={t('noTypes')}
    />
  )
}

type ChoiceProps<T extends string | number> = { label: string; data: { value: T; label: string }[]; value: T; onChange: (value: T) => void }

/** One of a few. */
export function ChoiceField<T extends string | number>({ label, data, value, onChange }: ChoiceProps<T>) {
  const known = data.some((each) => each.value === value) ? data : [...data, { value, label: String(value) }]
  return (
    <Select
      label={label}
      data={known.map((each) => ({ value: String(each.value), label: each.label }))}
      value={String(value)}
      onChange={(chosen) => {
        const found = known.find((each) => String(each.value) === chosen)
        if (found) onChange(found.value)
      }}
      allowDeselect={false}
    />
  )
}

const PERIODS = [7, 30, 90, 180]

export function PeriodField({ value, onChange }: { value: number; onChange: (days: number) => void }) {
  const t = useTexts()
  const name = (days: number) => (days === 1 ? t('today') : t('days', { days }))
  const days = [...new Set([1, ...PERIODS, value])].sort((a, b) => a - b)
  return (
    <ChoiceField label={t('period')} data={days.map((each) => ({ value: each, label: name(each) }))} value={value} onChange={onChange} />
  )
}

export function useFieldName(): (field: string) => string {
  const t = useTexts()
  const named = new Map([
    ['platform', t('platform')],
    ['value', t('value')],
    [BY_SEGMENT, t('bySegment')],
  ])
  return (field) => named.get(field) ?? field.replace(/^properties\./, '')
}

type ByProps = { value: string | undefined; fields: Fields; onChange: (by: string | undefined) => void }

/** What events, or by segment people, are told apart by; where nothing was declared, how to get more. */
export function ByField({ value, fields, onChange }: ByProps) {
  const t = useTexts()
  const name = useFieldName()
  const all = [...new Set([...fields.dimensions, BY_SEGMENT, ...(value === undefined ? [] : [value])])]
  return (
    <>
      <Select
        label={t('by')}
        placeholder={t('nothing')}
        data={all.map((field) => ({ value: field, label: name(field) }))}
        value={value ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
        clearable
        clearButtonProps={{ 'aria-label': t('nothing') }}
      />
      {fields.dimensions.length === 1 && (
        <Text size="xs" c="dimmed">
          {t('moreFields')}
        </Text>
      )}
    </>
  )
}

export function SegmentField({ value, onChange }: { value: string | undefined; onChange: (segment: string | undefined) => void }) {
  const t = useTexts()
  const { data } = useSegments()
  return (
    <Select
      label={t('segment')}
      placeholder={t('everybody')}
      data={(data?.segments ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('everybody') }}
    />
  )
}
