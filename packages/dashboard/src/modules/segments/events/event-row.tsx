import { ActionIcon, Autocomplete, Button, Group, NativeSelect, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import {
  EVENT_OPERATORS,
  mostOf,
  typeOfLeaf,
  WINDOW_UNITS,
  type WindowUnit,
  type Count,
  type EventLeaf,
  type Sum,
  type Within,
} from '@contentflow/core/behaviour/did.ts'
import type { WhereLeaf } from '@contentflow/core/behaviour/where.ts'
import { VALUELESS_OPERATORS, type Operator } from '@contentflow/core/targeting/operators.ts'
import { COUNTED_TYPES } from '@contentflow/core/events/counted-as.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { useKnownTypes } from '../../events/api.ts'
import { useRuleTexts } from '../rules/rule-texts.ts'
import { fieldOf, OFFERED, plainConditions, typedValue, withComparison, withConditions, withOperator, withValue } from './event-draft.ts'
import { nameOf, unitOf } from './event-words.ts'

/** Types that every app knows, before any was seen; others are typed by hand. */
export const SUGGESTED = [...new Set([...Object.values(COUNTED_TYPES).flat(), 'screen_view', 'add_to_cart'])]

type EditProps = { leaf: EventLeaf; onChange: (leaf: EventLeaf) => void }

/** One condition on what somebody did: type, how often, when, with which properties. */
export function EventEditor({ leaf, onChange }: EditProps) {
  const t = useRuleTexts()
  const known = useKnownTypes().data?.types.map(({ name }) => name) ?? []
  return (
    <Stack gap="xs" flex={1} miw={0}>
      <Group gap="xs" align="flex-end">
        <NativeSelect
          aria-label={t('ev_what')}
          value={leaf.operator}
          onChange={({ currentTarget: { value } }) =>
            onChange(withOperator(leaf, EVENT_OPERATORS.find((each) => each === value) ?? leaf.operator))
          }
          data={EVENT_OPERATORS.map((value) => ({ value, label: t(`ev_op_${value}`) }))}
        />
        <Autocomplete
          aria-label={t('ev_type')}
          placeholder={t('ev_typeHint')}
          miw={200}
          flex={1}
          dir="auto"
          data={[...new Set([...known, ...SUGGESTED])]}
          value={typeOfLeaf(leaf)}
          onChange={(type) => onChange({ ...leaf, field: `events.${type}` })}
        />
        {leaf.operator === 'did' && <CountFields count={leaf.value.count} onChange={(count) => onChange(withValue(leaf, { count }))} />}
        <WindowFields leaf={leaf} onChange={onChange} />
      </Group>
      <Conditions leaf={leaf} onChange={onChange} />
      {leaf.operator === 'did' && <SumFields sum={leaf.value.sum} onChange={(sum) => onChange(withValue(leaf, { sum }))} />}
      <Text size="xs" c="dimmed">
        {t('ev_arrival')}
      </Text>
    </Stack>
  )
}

const COUNTS = ['greater_than_or_equal', 'equals', 'less_than', 'between'] as const satisfies Count['operator'][]

function CountFields({ count, onChange }: { count: Count | undefined; onChange: (count: Count | undefined) => void }) {
  const t = useRuleTexts()
  const pick = (operator: string) => {
    const known = COUNTS.find((each) => each === operator)
    const before = count?.operator === 'between' ? count.value[0] : (count?.value ?? 2)
    if (!known) return onChange(undefined)
    onChange(
      known === 'between' ? { operator: known, value: [before, Math.max(before, 5)] } : { operator: known, value: Math.max(before, 1) },
    )
  }
  return (
    <>
      <NativeSelect
        aria-label={t('ev_count')}
        value={count?.operator ?? 'any'}
        onChange={({ currentTarget: { value } }) => pick(value)}
        data={['any' as const, ...COUNTS].map((value) => ({ value, label: t(`ev_count_${value}`) }))}
      />
      {count?.operator === 'between' ? (
        <>
          <Times
            label={t('ev_timesFrom')}
            value={count.value[0]}
            onChange={(from) => onChange({ ...count, value: [from, count.value[1]] })}
          />
          <Times label={t('ev_timesTo')} value={count.value[1]} onChange={(to) => onChange({ ...count, value: [count.value[0], to] })} />
        </>
      ) : (
        count && <Times label={t('ev_times')} value={count.value} onChange={(value) => onChange({ ...count, value })} />
      )}
    </>
  )
}

function Times({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return <NumberField aria-label={label} w={80} min={0} max={100} value={value} onChange={(next) => onChange(next ?? Number.NaN)} />
}

function WindowFields({ leaf, onChange }: EditProps) {
  const t = useRuleTexts()
  if (leaf.operator === 'first_did' || leaf.operator === 'last_did') {
    const { operator, ...length } = leaf.value.ago
    return (
      <>
        <NativeSelect
          aria-label={t('ev_window')}
          value={operator}
          onChange={({ currentTarget: { value } }) => onChange(withValue(leaf, { ago: { ...length, operator: value } }))}
          data={(['less_than', 'greater_than_or_equal'] as const).map((value) => ({ value, label: t(`ev_ago_${value}`) }))}
        />
        <Length within={length} onChange={(next) => onChange(withValue(leaf, { ago: { operator, ...next } }))} />
      </>
    )
  }
  const within = 'within' in leaf.value ? leaf.value.within : undefined
  const found = within && unitOf(within)
  const pick = (unit: string) => {
    const known = WINDOW_UNITS.find((each) => each === unit)
    onChange(withValue(leaf, { within: known && { [known]: Math.min(found?.amount ?? 14, mostOf(known)) } }))
  }
  return (
    <>
      <NativeSelect
        aria-label={t('ev_window')}
        value={found?.unit ?? 'any'}
        onChange={({ currentTarget: { value } }) => pick(value)}
        data={['any' as const, ...WINDOW_UNITS].map((value) => ({ value, label: t(`ev_window_${value}`) }))}
      />
      {found && (
        <Amount
          unit={found.unit}
          amount={found.amount}
          onChange={(amount) => onChange(withValue(leaf, { within: { [found.unit]: amount } }))}
        />
      )}
    </>
  )
}

function Length({ within, onChange }: { within: Within; onChange: (within: Within) => void }) {
  const t = useRuleTexts()
  const { unit, amount } = unitOf(within) ?? { unit: 'days' as const, amount: 7 }
  return (
    <>
      <Amount unit={unit} amount={amount} onChange={(next) => onChange({ [unit]: next })} />
      <NativeSelect
        aria-label={t('ev_unit')}
        value={unit}
        onChange={({ currentTarget: { value } }) => onChange({ [value]: amount })}
        data={WINDOW_UNITS.map((value) => ({ value, label: t(`ev_unit_${value}`) }))}
      />
    </>
  )
}

function Amount({ unit, amount, onChange }: { unit: WindowUnit; amount: number; onChange: (amount: number) => void }) {
  const t = useRuleTexts()
  return (
    <NumberField
      aria-label={t('ev_amount')}
      w={90}
      min={1}
      max={mostOf(unit)}
      value={amount}
      onChange={(next) => onChange(next ?? Number.NaN)}
    />
  )
}

/** The conditions on one event; journeys have them too. */
export function Conditions({ leaf, onChange }: EditProps) {
  const t = useRuleTexts()
  const conditions = plainConditions(leaf)
  if (!conditions) {
    return (
      <Text size="xs" c="dimmed">
        {t('ev_keptWhere')}
      </Text>
    )
  }
  const put = (place: number, next: WhereLeaf | undefined) =>
    onChange(
      withConditions(
        leaf,
        conditions.flatMap((each, index) => (index === place ? (next ?? []) : each)),
      ),
    )
  return (
    <>
      {conditions.map((condition, place) => (
        <Condition key={place} condition={condition} onChange={(next) => put(place, next)} />
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        w="fit-content"
        leftSection={<IconPlus size={12} aria-hidden />}
        onClick={() => onChange(withConditions(leaf, [...conditions, { field: 'properties.', operator: 'greater_than', value: '' }]))}
      >
        {t('ev_addCondition')}
      </Button>
    </>
  )
}

function Condition({ condition, onChange }: { condition: WhereLeaf; onChange: (condition: WhereLeaf | undefined) => void }) {
  const t = useRuleTexts()
  const { field, operator, value } = condition
  return (
    <Group gap="xs" wrap="wrap">
      <TextInput
        aria-label={t('ev_property')}
        placeholder={t('ev_propertyHint')}
        dir="auto"
        flex={1}
        miw={120}
        value={nameOf(field)}
        onChange={({ currentTarget }) => onChange({ ...condition, field: fieldOf(currentTarget.value) })}
      />
      <NativeSelect
        aria-label={t('ev_comparison')}
        value={operator}
        onChange={({ currentTarget }) =>
          onChange(withComparison(condition, OFFERED.find((each) => each === currentTarget.value) ?? operator))
        }
        data={OFFERED.map((name: Operator) => ({ value: name, label: t(`op_${name}`) }))}
      />
      {!VALUELESS_OPERATORS.has(operator) && (
        <TextInput
          aria-label={t('ev_value')}
          dir="auto"
          flex={1}
          miw={100}
          value={typeof value === 'object' || value === undefined ? '' : String(value)}
          onChange={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value })}
          onBlur={({ currentTarget }) => onChange({ ...condition, value: typedValue(currentTarget.value) })}
        />
      )}
      <Remove label={t('ev_removeCondition')} onClick={() => onChange(undefined)} />
    </Group>
  )
}

const SUMS = ['greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal'] as const

function SumFields({ sum, onChange }: { sum: Sum | undefined; onChange: (sum: Sum | undefined) => void }) {
  const t = useRuleTexts()
  if (!sum) {
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        w="fit-content"
        leftSection={<IconPlus size={12} aria-hidden />}
        onClick={() => onChange({ property: 'value', operator: 'greater_than_or_equal', value: 100 })}
      >
        {t('ev_addSum')}
      </Button>
    )
  }
  return (
    <Group gap="xs">
      <TextInput
        aria-label={t('ev_sumOf')}
        leftSectionWidth="auto"
        dir="auto"
        value={nameOf(sum.property)}
        onChange={({ currentTarget: { value } }) => onChange({ ...sum, property: value === 'value' ? value : `properties.${value}` })}
      />
      {sum.operator !== 'between' && (
        <>
          <NativeSelect
            aria-label={t('ev_comparison')}
            value={sum.operator}
            onChange={({ currentTarget }) =>
              onChange({ ...sum, operator: SUMS.find((each) => each === currentTarget.value) ?? sum.operator })
            }
            data={SUMS.map((name) => ({ value: name, label: t(`op_${name}`) }))}
          />
          <NumberField
            aria-label={t('ev_value')}
            w={120}
            value={sum.value}
            onChange={(value) => onChange({ ...sum, value: value ?? Number.NaN })}
          />
        </>
      )}
      <Remove label={t('ev_removeSum')} onClick={() => onChange(undefined)} />
    </Group>
  )
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
