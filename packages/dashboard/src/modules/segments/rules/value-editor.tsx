/** The control for the value of a rule: one for every kind of value. None asks for JSON. */
import { Autocomplete, Group, NativeSelect, SegmentedControl, Select, TagsInput, Text, TextInput } from '@mantine/core'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { toNumber } from '@contentflow/core/targeting/compare-values.ts'
import { lazy, Suspense, useState } from 'react'
import { choicesOf, isFixedField, type FieldKind } from './field-catalog.ts'
import { editorFor } from './operator-choice.ts'
import type { DraftLeaf } from './rule-tree.ts'
import { useRuleTexts } from './rule-texts.ts'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { isDecimalComma, readNumber } from '../../../ui/fields/read-number.ts'

const TimeField = lazy(async () => ({ default: (await import('./time-field.tsx')).TimeField }))

type ValueProps = {
  leaf: DraftLeaf
  kind: FieldKind
  /** Values that occur. */
  samples: Json[]
  /** Undefined: nothing entered. */
  onChange: (value: Json | undefined) => void
}

export function ValueEditor(props: ValueProps) {
  const t = useTexts()
  const { leaf, onChange } = props
  const { value } = leaf
  switch (editorFor(leaf.operator)) {
    case 'none':
      return null
    case 'plain':
      return <PlainValue {...props} />
    case 'many':
      return <ManyValues {...props} />
    case 'text':
      return <TextValue {...props} label={t('value')} />
    case 'pattern':
      return <PatternValue {...props} />
    case 'version':
      return <TextValue {...props} label={t('version')} isCode />
    case 'number':
      return <NumberValue label={t('value')} value={value} onChange={onChange} />
    case 'days':
      return (
        <NumberValue
          label={t('days')}
          value={value}
          onChange={onChange}
          suffix={t('daysSuffix', { count: typeof value === 'number' ? value : 0 })}
        />
      )
    case 'range':
      return <RangeValue {...props} />
    case 'time':
      return (
        <Suspense fallback={<TextInput aria-label={t('time')} disabled />}>
          <TimeField value={typeof value === 'string' ? value : undefined} onChange={onChange} />
        </Suspense>
      )
    default:
      return <CircleValue {...props} />
  }
}

type PlainType = 'text' | 'number' | 'boolean'

function typeOf(value: Json | undefined, kind: FieldKind): PlainType {
  const known = Array.isArray(value) ? value[0] : value
  if (known !== undefined) return typeof known === 'number' ? 'number' : typeof known === 'boolean' ? 'boolean' : 'text'
  return kind === 'number' || kind === 'boolean' ? kind : 'text'
}

/** Fixed fields have one kind of value; for others the author says whether "30" or 30 is meant. */
function TypeChoice({ types, type, onChange }: { types: PlainType[]; type: PlainType; onChange: (type: PlainType) => void }) {
  const t = useTexts()
  return (
    <NativeSelect
      aria-label={t('type')}
      w={120}
      data={types.map((each) => ({ value: each, label: t(`type_${each}`) }))}
      value={type}
      onChange={({ currentTarget }) => onChange(types.find((each) => each === currentTarget.value) ?? 'text')}
    />
  )
}

function PlainValue({ leaf, kind, samples, onChange }: ValueProps) {
  const t = useTexts()
  const rules = useRuleTexts()
  const [type, setType] = useState(() => typeOf(leaf.value, kind))
  const change = (next: PlainType) => {
    setType(next)
    onChange(next === 'boolean' ? true : next === 'number' ? toNumber(leaf.value) : undefined)
  }
  const hasChoice = !isFixedField(leaf.field) || typeOf(leaf.value, kind) !== typeOf(undefined, kind)
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {hasChoice && <TypeChoice types={['text', 'number', 'boolean']} type={type} onChange={change} />}
      {type === 'text' && <TextValue leaf={leaf} kind={kind} samples={samples} onChange={onChange} label={t('value')} />}
      {type === 'number' && <NumberValue label={t('value')} value={leaf.value} onChange={onChange} />}
      {type === 'boolean' && (
        <SegmentedControl
          aria-label={t('value')}
          data={[
            { value: 'true', label: rules('yes') },
            { value: 'false', label: rules('no') },
          ]}
          value={String(leaf.value === true)}
          onChange={(next) => onChange(next === 'true')}
        />
      )}
    </Group>
  )
}

function TextValue({ leaf, samples, onChange, label, isCode }: ValueProps & { label: string; isCode?: boolean }) {
  const choices = useChoices(leaf.field)
  const text = typeof leaf.value === 'string' ? leaf.value : ''
  if (choices)
    return (
      <Select
        aria-label={label}
        placeholder={label}
        flex={1}
        miw={0}
        data={choices}
        value={text || null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    )
  return (
    <Autocomplete
      aria-label={label}
      placeholder={label}
      flex={1}
      miw={0}
      data={textsOf(samples)}
      value={text}
      onChange={(next) => onChange(next === '' ? undefined : next)}
      {...(isCode && { classNames: { input: 'cf-code' } })}
    />
  )
}

function PatternValue({ leaf: { value }, onChange }: ValueProps) {
  const t = useTexts()
  return (
    <TextInput
      aria-label={t('pattern')}
      placeholder={t('pattern')}
      classNames={{ input: 'cf-code' }}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  )
}

function useChoices(field: string) {
  const rules = useRuleTexts()
  return choicesOf(field)?.map((value) => ({ value, label: field === 'lifecycle' ? rules(`stage_${value as 'new'}`) : value }))
}

function textsOf(samples: readonly Json[]): string[] {
  return [...new Set(samples.filter((sample) => typeof sample === 'string' && sample !== ''))] as string[]
}

function ManyValues({ leaf, kind, samples, onChange }: ValueProps) {
  const t = useTexts()
  const choices = useChoices(leaf.field)
  const [type, setType] = useState(() => typeOf(leaf.value, kind))
  const [refused, setRefused] = useState('')
  const members = Array.isArray(leaf.value) ? leaf.value : []
  const suggestions = type === 'number' ? samples.filter((sample) => typeof sample === 'number').map(String) : textsOf(samples)
  const labels = new Map((choices ?? []).map(({ value, label }) => [value, label]))
  const set = (texts: string[]) => {
    if (type !== 'number') return onChange(texts.length === 0 ? undefined : texts)
    const read = texts.map((text) => ({ text, ...readNumber(text, {}, isDecimalComma(navigator.language)) }))
    const numbers = read.flatMap(({ value, fault }) => (value === undefined || fault ? [] : [value]))
    setRefused(read.flatMap(({ text, fault }) => (fault ? [text] : [])).join(' '))
    onChange(numbers.length === 0 ? undefined : [...new Set(numbers)])
  }
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {!isFixedField(leaf.field) && (
        <TypeChoice
          types={['text', 'number']}
          type={type === 'number' ? 'number' : 'text'}
          onChange={(next) => {
            setType(next)
            onChange(undefined)
          }}
        />
      )}
      <TagsInput
        aria-label={t('values')}
        placeholder={members.length === 0 ? t('valuesHelp') : undefined}
        flex={1}
        miw={0}
        data={choices ? choices.map(({ value }) => value) : suggestions}
        renderOption={({ option }) => <Text size="sm">{labels.get(option.value) ?? option.value}</Text>}
        value={members.map(String)}
        onChange={set}
        error={refused && t('notNumber', { text: refused })}
        clearable={false}
      />
    </Group>
  )
}

type NumberProps = {
  label: string
  value: Json | undefined
  onChange: (value: number | undefined) => void
  suffix?: string
  /** Whether the name is above the field, where several numbers are side by side. */
  isLabelled?: boolean
}

function NumberValue({ label, value, onChange, suffix, isLabelled }: NumberProps) {
  return (
    <NumberField
      {...(isLabelled ? { label } : { 'aria-label': label, placeholder: label })}
      flex={1}
      miw={90}
      value={typeof value === 'number' ? value : toNumber(value)}
      onChange={(next) => onChange(toNumber(next))}
      suffix={suffix}
    />
  )
}

function RangeValue({ leaf, onChange }: ValueProps) {
  const t = useTexts()
  const [from, to] = Array.isArray(leaf.value) ? leaf.value : []
  const [bounds, setBounds] = useState<[number?, number?]>([toNumber(from), toNumber(to)])
  const set = (next: [number?, number?]) => {
    setBounds(next)
    const [least, most] = next
    onChange(least === undefined || most === undefined ? undefined : [least, most])
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberValue label={t('from')} value={bounds[0]} onChange={(least) => set([least, bounds[1]])} />
      <span aria-hidden>–</span>
      <NumberValue label={t('to')} value={bounds[1]} onChange={(most) => set([bounds[0], most])} />
    </Group>
  )
}

function CircleValue({ leaf, onChange }: ValueProps) {
  const t = useTexts()
  const circle = isPlainObject(leaf.value) ? leaf.value : {}
  const part = (name: 'latitude' | 'longitude' | 'radiusMeters', label: string) => (
    <NumberValue
      isLabelled
      label={label}
      value={circle[name]}
      onChange={(next) => {
        const { [name]: _, ...others } = circle
        onChange(next === undefined ? others : { ...others, [name]: next })
      }}
    />
  )
  return (
    <Group gap="xs">
      {part('latitude', t('latitude'))}
      {part('longitude', t('longitude'))}
      {part('radiusMeters', t('radius'))}
    </Group>
  )
}
