/** Conditions on the properties of an event. */
import { ActionIcon, Button, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Condition, Fields, Where } from '../api.ts'
import { useTexts } from '../texts.ts'
import { useFieldName } from './choices.tsx'

const OPERATORS = ['equals', 'not_equals', 'greater_than', 'less_than', 'contains', 'exists'] as const
type Offered = (typeof OPERATORS)[number]
const NUMBERS: ReadonlySet<string> = new Set(['greater_than', 'less_than'])

type ConditionsProps = { value: Where | undefined; fields: Fields; onChange: (where: Where | undefined) => void }

/** All of them have to hold. */
export function Conditions({ value, fields, onChange }: ConditionsProps) {
  const t = useTexts()
  const conditions = value?.conditions ?? []
  const change = (next: Condition[]) =>
    onChange(next.length === 0 ? undefined : { logicalOperator: value?.logicalOperator ?? 'AND', conditions: next })
  const add = () => change([...conditions, { field: fields.dimensions[0] ?? 'platform', operator: 'equals', value: '' }])
  return (
    <Stack gap="xs">
      {conditions.map((condition, index) => (
        <Row
          key={index}
          number={index + 1}
          condition={condition}
          fields={fields}
          onChange={(next) => change(conditions.with(index, next))}
          onRemove={() => change(conditions.toSpliced(index, 1))}
        />
      ))}
      <Button variant="subtle" size="compact-sm" w="fit-content" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {t('addCondition')}
      </Button>
    </Stack>
  )
}

type RowProps = { number: number; condition: Condition; fields: Fields; onChange: (condition: Condition) => void; onRemove: () => void }

function Row({ number, condition, fields, onChange, onRemove }: RowProps) {
  const t = useTexts()
  const name = useFieldName()
  const names = [...new Set([...fields.dimensions, ...fields.measures, condition.field])]
  const operators = [...new Set<string>([...OPERATORS, condition.operator])]
  const label = (operator: string) => ((OPERATORS as readonly string[]).includes(operator) ? t(`op_${operator as Offered}`) : operator)
  const set = (next: Condition) => {
    const { value: _gone, ...rest } = next
    onChange(next.operator === 'exists' ? rest : { ...rest, value: readValue(String(next.value ?? ''), next, fields) })
  }
  return (
    <Fieldset legend={t('conditions')} variant="unstyled" styles={{ legend: { position: 'absolute', clipPath: 'inset(50%)' } }}>
      <Group gap={6} wrap="nowrap" align="center">
        <Stack gap={6} flex={1} miw={0}>
          <Group gap={6} grow>
            <Select
              aria-label={t('field')}
              data={names.map((field) => ({ value: field, label: name(field) }))}
              value={condition.field}
              onChange={(field) => field && set({ ...condition, field })}
              allowDeselect={false}
            />
            <Select
              aria-label={t('operator')}
              data={operators.map((operator) => ({ value: operator, label: label(operator) }))}
              value={condition.operator}
              onChange={(operator) => operator && set({ ...condition, operator: operator as Condition['operator'] })}
              allowDeselect={false}
            />
          </Group>
          {condition.operator !== 'exists' && (
            <TextInput
              aria-label={t('compared')}
              value={String(condition.value ?? '')}
              onChange={({ currentTarget }) => set({ ...condition, value: currentTarget.value })}
              dir="auto"
            />
          )}
        </Stack>
        <ActionIcon variant="subtle" color="gray" aria-label={t('removeCondition', { number })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Fieldset>
  )
}

/** As the property has it: a number stays a number, because 7 and "7" are two values. */
function readValue(text: string, { field, operator }: Condition, { kinds, measures }: Fields): string | number | boolean {
  const kind = kinds.get(field)
  const isNumber = NUMBERS.has(operator) || measures.includes(field) || kind === 'number' || kind === 'integer'
  // What ends like a number that is not finished stays as it was typed.
  if (isNumber && text.trim() !== '' && String(Number(text)) === text.trim()) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
