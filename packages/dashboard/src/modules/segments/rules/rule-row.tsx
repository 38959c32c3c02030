import { ActionIcon, Box, Group, Select, Stack, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react'
import { OPERATOR_NAMES, type Operator } from '@contentflow/core/targeting/operators.ts'
import { useState } from 'react'
import { useFormat } from '../../../format.ts'
import { isWholeEvent } from '../events/event-draft.ts'
import { EventEditor } from '../events/event-row.tsx'
import { kindOf, type OfferedField } from './field-catalog.ts'
import { leafFault, leafNotes, type LeafNote } from './leaf-check.ts'
import { canEdit, carryValue, editorFor, operatorsFor } from './operator-choice.ts'
import { useRuleTexts } from './rule-texts.ts'
import { rowWords } from './row-words.ts'
import { isEvent, type DraftEvent, type DraftLeaf, type DraftRow } from './rule-tree.ts'
import { useTexts } from '../texts.ts'
import { ValueEditor } from './value-editor.tsx'
import { FieldPicker } from './field-picker.tsx'
import { LeafSentence } from './rules-in-words.tsx'
import classes from './rules.module.css'

type RowProps = {
  leaf: DraftRow
  /** Known fields with their kinds and sample values. */
  fields: OfferedField[]
  /** Why the server refused this row. */
  refused: string | undefined
  /** Whether rows that are merely not complete say so. */
  isChecked: boolean
  onChange: (leaf: DraftRow) => void
  onRemove: () => void
}

/** One condition, read as a sentence: field, comparison, value. */
export function RuleRow({ leaf, ...props }: RowProps) {
  return isEvent(leaf) ? <EventRow leaf={leaf} {...props} /> : <FieldRow leaf={leaf} {...props} />
}

function EventRow({ leaf, refused, isChecked, onChange, onRemove }: Omit<RowProps, 'leaf'> & { leaf: DraftEvent }) {
  const rules = useRuleTexts()
  const message = refused ?? (isChecked && !isWholeEvent(leaf) ? rules('ev_incomplete') : undefined)
  return (
    <Stack gap={4} role="group" aria-label={rules('ev_add')}>
      <Box className={classes.row}>
        <EventEditor leaf={leaf} onChange={(next) => onChange({ ...next, key: leaf.key })} />
        <RemoveRow leaf={leaf} onRemove={onRemove} />
      </Box>
      {message && (
        <Text size="xs" c="red" role="alert">
          {message}
        </Text>
      )}
    </Stack>
  )
}

function FieldRow({ leaf, fields, refused, isChecked, onChange, onRemove }: Omit<RowProps, 'leaf'> & { leaf: DraftLeaf }) {
  const rules = useRuleTexts()
  // Decided once: a value that is half entered must not turn into one that cannot be edited.
  const [isKept] = useState(() => !canEdit(leaf))
  const fault = leafFault(leaf)
  const isQuiet = !isChecked && (fault === 'fieldMissing' || fault === 'valueMissing')
  const message = refused ?? (fault && !isQuiet ? rules(`fault_${fault}`) : undefined)
  const notes = leafNotes(leaf, kindOf(leaf.field, fields))
  return (
    <Stack gap={4} role="group">
      <Box className={classes.row}>
        {isKept ? (
          <KeptRow leaf={leaf} />
        ) : (
          <EditedRow
            leaf={leaf}
            fields={fields}
            isFieldWrong={message !== undefined && (fault === 'fieldMissing' || fault === 'fieldWrong')}
            onChange={onChange}
          />
        )}
        <RemoveRow leaf={leaf} onRemove={onRemove} />
      </Box>
      {message && (
        <Text size="xs" c="red" role="alert">
          {message}
        </Text>
      )}
      {notes.map((note) => (
        <Note key={note} note={note} />
      ))}
    </Stack>
  )
}

function EditedRow({
  leaf,
  fields,
  isFieldWrong,
  onChange,
}: Pick<RowProps, 'fields' | 'onChange'> & { leaf: DraftLeaf; isFieldWrong: boolean }) {
  // A field that was searched for need not be among those that are read for all rows.
  const [picked, setPicked] = useState<OfferedField>()
  const known = picked ? [...fields, picked] : fields
  const kind = kindOf(leaf.field, known)
  const samples = known.find(({ field }) => field === leaf.field)?.samples ?? []
  const pick = (offered: OfferedField) => {
    const { field, kind: nextKind } = offered
    const { fitting, others } = operatorsFor(field, nextKind)
    const isFitting = [...fitting, ...others].includes(leaf.operator) && (nextKind === 'any' || fitting.includes(leaf.operator))
    const operator = isFitting ? leaf.operator : (fitting[0] ?? 'equals')
    const value = nextKind === kind ? carryValue(leaf.value, leaf.operator, operator) : undefined
    setPicked(offered)
    onChange({ key: leaf.key, field, operator, ...(value !== undefined && { value }) })
  }
  const compare = (operator: Operator) => {
    const value = carryValue(leaf.value, leaf.operator, operator)
    onChange({ key: leaf.key, field: leaf.field, operator, ...(value !== undefined && { value }) })
  }
  return (
    <Box className={classes.parts}>
      <FieldPicker field={leaf.field} error={isFieldWrong} onPick={pick} />
      <OperatorSelect field={leaf.field} operator={leaf.operator} kind={kind} onChange={compare} />
      {leaf.field !== '' && (
        <div className={classes.value} data-wide={editorFor(leaf.operator) === 'circle'}>
          <ValueEditor
            // Another field or comparison begins with what it can take over, not with what is half typed.
            key={`${leaf.field} ${leaf.operator}`}
            leaf={leaf}
            kind={kind}
            samples={samples}
            onChange={(value) => {
              const { value: _, ...rest } = leaf
              onChange(value === undefined ? rest : { ...rest, value })
            }}
          />
        </div>
      )}
    </Box>
  )
}

type OperatorProps = { field: string; operator: Operator; kind: OfferedField['kind']; onChange: (operator: Operator) => void }

function OperatorSelect({ field, operator, kind, onChange }: OperatorProps) {
  const t = useTexts()
  const rules = useRuleTexts()
  const { fitting, others } = operatorsFor(field, kind)
  // An operator that can never match the field is not offered, but shown where it is stored.
  const known = [...fitting, ...others].includes(operator) ? fitting : [operator, ...fitting]
  const option = (value: Operator) => ({ value, label: rules(`op_${value}`) })
  return (
    <Select
      aria-label={t('operator')}
      data={others.length === 0 ? known.map(option) : [...known.map(option), { group: t('otherOperators'), items: others.map(option) }]}
      value={operator}
      onChange={(next) => onChange(OPERATOR_NAMES.find((each) => each === next) ?? operator)}
      allowDeselect={false}
      disabled={field === ''}
      maxDropdownHeight={340}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}

function KeptRow({ leaf }: { leaf: DraftLeaf }) {
  const t = useTexts()
  return (
    <Stack gap={2} className={classes.kept}>
      <LeafSentence leaf={leaf} />
      <Text size="xs" c="dimmed">
        {t('keptRow')}
      </Text>
    </Stack>
  )
}

function RemoveRow({ leaf, onRemove }: { leaf: DraftRow; onRemove: () => void }) {
  const t = useTexts()
  const { field, operator, value } = rowWords(leaf, { t: useRuleTexts(), format: useFormat() })
  const label = leaf.field === '' ? t('removeEmptyRow') : t('removeRow', { words: `${field} ${operator} ${value}`.trim() })
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

const WARNINGS: ReadonlySet<LeafNote> = new Set(['dateOnTrait', 'circleElsewhere', 'never', 'otherType'])

function Note({ note }: { note: LeafNote }) {
  const rules = useRuleTexts()
  const isWarning = WARNINGS.has(note)
  const Picture = isWarning ? IconAlertTriangle : IconInfoCircle
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" className={classes.note} data-warning={isWarning}>
      <Picture size={14} aria-hidden style={{ flexShrink: 0, marginBlockStart: 3 }} />
      <Text size="xs">{rules(`note_${note}`)}</Text>
    </Group>
  )
}
