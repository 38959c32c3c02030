import { ActionIcon, Group, MultiSelect, Paper, Select, SimpleGrid, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { isFieldType, FIELD_TYPES } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { BlockType } from '../api.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { hasOwnOptions, type FieldDraft, type FieldFault } from './fields-form.ts'
import { useTypeTexts } from './type-texts.ts'

type FieldEditorProps = {
  title: string
  field: FieldDraft
  types: BlockType[]
  faults: FieldFault[]
  onChange: (field: FieldDraft) => void
  onRemove: () => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

/** One field of a block type. */
export function FieldEditor({ title, field, types, faults, onChange, onRemove, onUp, onDown }: FieldEditorProps) {
  const t = useTypeTexts()
  const set = (change: Partial<FieldDraft>) => onChange({ ...field, ...change })
  const faultOf = (member: FieldFault['member']) => {
    const fault = faults.find((found) => found.member === member)
    return fault && t(fault.text)
  }
  // A kind that only the app knows can be kept, but not chosen.
  const kinds = [...new Set([...FIELD_TYPES, ...(field.stored ? [field.stored.type] : [])])]
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }} component="fieldset" m={0}>
      <Group component="legend" justify="space-between" wrap="nowrap" mb="xs" w="100%" style={{ float: 'inline-start' }}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
          <ActionIcon variant="subtle" color="gray" aria-label={t('moveUp', { name: title })} disabled={!onUp} onClick={onUp}>
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={t('moveDown', { name: title })} disabled={!onDown} onClick={onDown}>
            <IconArrowDown size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="red" aria-label={t('removeField', { name: title })} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Stack gap="sm" style={{ clear: 'both' }}>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={t('label')}
            description={t('labelHint')}
            value={field.label}
            onChange={({ currentTarget: { value } }) => set({ label: value })}
            maxLength={LIMITS.fieldTextLength}
          />
          <TextInput
            label={t('tag')}
            description={t('tagHint')}
            classNames={{ input: 'cf-code' }}
            value={field.tag}
            onChange={({ currentTarget: { value } }) => set({ tag: value })}
            maxLength={LIMITS.fieldTextLength}
            required
            error={faultOf('tag')}
          />
          <Select
            label={t('kind')}
            description={'\u00a0'}
            data={kinds.map((kind) => ({ value: kind, label: isFieldType(kind) ? t(`kind_${kind}`) : t('kindUnknown', { type: kind }) }))}
            value={field.type}
            onChange={(type) => type && set({ type })}
            allowDeselect={false}
          />
        </SimpleGrid>
        <Extras field={field} types={types} set={set} faultOf={faultOf} />
        <Switch label={t('required')} checked={field.required} onChange={({ currentTarget: { checked } }) => set({ required: checked })} />
      </Stack>
    </Paper>
  )
}

type ExtrasProps = {
  field: FieldDraft
  types: BlockType[]
  set: (change: Partial<FieldDraft>) => void
  faultOf: (member: FieldFault['member']) => string | undefined
}

/** Settings that only this kind of field has. */
function Extras({ field, types, set, faultOf }: ExtrasProps) {
  const t = useTypeTexts()
  const { type } = field
  if (!isFieldType(type)) return null
  switch (type) {
    case 'text':
    case 'textarea':
      return (
        <NumberField
          label={t('maxLength')}
          value={field.maxLength}
          onChange={(value) => set({ maxLength: value })}
          min={1}
          isWhole
          w={200}
          error={faultOf('length')}
        />
      )
    case 'select':
      return hasOwnOptions(field) && field.stored?.type === 'select' ? (
        <Text size="sm" c="dimmed">
          {field.options.join(' · ')}. {t('optionsWithLabels')}
        </Text>
      ) : (
        <TagsInput
          label={t('options')}
          description={t('optionsHint')}
          value={field.options}
          onChange={(options) => set({ options })}
          error={faultOf('options')}
          acceptValueOnBlur
        />
      )
    case 'collection':
      return (
        <Stack gap="sm">
          <MultiSelect
            label={t('allowed')}
            data={types.map(({ key, name }) => ({ value: key, label: name }))}
            value={field.allowedBlockKeys}
            onChange={(allowedBlockKeys) => set({ allowedBlockKeys })}
            error={faultOf('allowed')}
            searchable
            limit={50}
          />
          <Group align="flex-start">
            <NumberField
              label={t('minItems')}
              value={field.minItems}
              onChange={(value) => set({ minItems: value })}
              min={0}
              isWhole
              w={120}
              error={faultOf('items')}
            />
            <NumberField
              label={t('maxItems')}
              value={field.maxItems}
              onChange={(value) => set({ maxItems: value })}
              min={0}
              max={LIMITS.referencesPerCollection}
              isWhole
              w={120}
            />
          </Group>
        </Stack>
      )
    case 'image':
    case 'number':
    case 'toggle':
    case 'url':
      return null
    default:
      return type satisfies never
  }
}
