/** Names with their values: what an endpoint is told, attributes, or what an event says. */
import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { StepValues } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useState } from 'react'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { useStepTexts } from '../../texts-steps.ts'
import { TokenMenu } from './token-menu.tsx'
import { asKind, kindOf, rowsFor, rowsOf, VALUE_KINDS, valuesOf, type ValueRow } from './value-list.ts'

type ValueRowsProps = {
  label: string
  description?: string
  addLabel: string
  values: StepValues
  onChange: (values: StepValues, mark: string) => void
  /** Whether texts may have tokens of events. */
  hasTokens?: boolean
}

export function ValueRows({ label, description, addLabel, values, onChange, hasTokens = false }: ValueRowsProps) {
  const [edited, setEdited] = useState<readonly ValueRow[]>(() => rowsOf(values))
  const rows = rowsFor(edited, values)
  const change = (next: readonly ValueRow[], mark: string) => {
    setEdited(next)
    onChange(valuesOf(next), mark)
  }
  return (
    <Fieldset legend={label} variant="unstyled">
      <Stack gap="sm" pt={4}>
        {description !== undefined && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        {rows.map((row, index) => (
          <Row
            key={index}
            row={row}
            hasTokens={hasTokens}
            onChange={(next, mark) => change(rows.toSpliced(index, 1, next), `${index} ${mark}`)}
            onRemove={() => change(rows.toSpliced(index, 1), 'remove')}
          />
        ))}
        {rows.length < LIMITS.journeyStepValues && (
          <Button
            size="compact-sm"
            variant="light"
            w="fit-content"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change([...rows, { name: '', value: '' }], 'add')}
          >
            {addLabel}
          </Button>
        )}
      </Stack>
    </Fieldset>
  )
}

type RowProps = { row: ValueRow; hasTokens: boolean; onChange: (row: ValueRow, mark: string) => void; onRemove: () => void }

function Row({ row, hasTokens, onChange, onRemove }: RowProps) {
  const t = useStepTexts()
  const kind = kindOf(row.value)
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          label={t('valueName')}
          value={row.name}
          onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value }, 'name')}
          maxLength={64}
          dir="auto"
          flex={1}
          miw={0}
        />
        <Select
          label={t('kind')}
          data={VALUE_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          value={kind}
          onChange={(next) => onChange({ ...row, value: asKind(row.value, VALUE_KINDS.find((each) => each === next) ?? kind) }, 'kind')}
          allowDeselect={false}
          w={110}
        />
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('removeValue', { name: row.name })} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <ValueField row={row} onChange={onChange} />
        {hasTokens && typeof row.value === 'string' && (
          <TokenMenu isSmall onPick={(token) => onChange({ ...row, value: `${row.value}${token}` }, 'token')} />
        )}
      </Group>
    </Stack>
  )
}

function ValueField({ row, onChange }: Pick<RowProps, 'row' | 'onChange'>) {
  const t = useStepTexts()
  const { value } = row
  const set = (next: ValueRow['value']) => onChange({ ...row, value: next }, 'value')
  if (typeof value === 'boolean')
    return (
      <Select
        label={t('value')}
        data={[
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
        value={String(value)}
        onChange={(next) => set(next === 'true')}
        allowDeselect={false}
        flex={1}
      />
    )
  if (typeof value === 'number')
    return <NumberField label={t('value')} value={value} onChange={(next) => set(next ?? Number.NaN)} isNeeded flex={1} />
  return (
    <TextInput
      label={t('value')}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      maxLength={LIMITS.enrichmentTextLength}
      dir="auto"
      flex={1}
      miw={0}
    />
  )
}
