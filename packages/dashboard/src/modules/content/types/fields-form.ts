/** The fields of a block type in the editor. */
import { isFieldType, optionValue, isPlainObject, type Field, type Json } from '@contentflow/core/blocks/field.ts'

export type FieldDraft = {
  /** Names the row on the page; the field's own id, if it has one. */
  rowId: string
  /** The field as it is stored. Members the form does not know stay as they are. */
  stored: Field | undefined
  label: string
  tag: string
  type: string
  required: boolean
  maxLength: number | undefined
  /** Choices as texts. */
  options: string[]
  allowedBlockKeys: string[]
  minItems: number | undefined
  maxItems: number | undefined
}

export type FieldFault = {
  member: 'tag' | 'length' | 'options' | 'allowed' | 'items'
  text: 'tagMissing' | 'optionsMissing' | 'allowedMissing' | 'itemsFault' | 'numberFault'
}

export function blankDraft(rowId: string): FieldDraft {
  const nothing = { maxLength: undefined, minItems: undefined, maxItems: undefined, options: [], allowedBlockKeys: [] }
  return { rowId, stored: undefined, label: '', tag: '', type: 'text', required: false, ...nothing }
}

export function toDraft(field: Field): FieldDraft {
  return {
    rowId: field.id,
    stored: field,
    label: field.label ?? '',
    tag: field.tag,
    type: field.type,
    required: field.required ?? false,
    maxLength: field.maxLength,
    options: (field.options ?? []).map(optionText),
    allowedBlockKeys: field.allowedBlockKeys ?? [],
    minItems: field.minItems,
    maxItems: field.maxItems,
  }
}

/** The text of an option that a person may choose. */
export function optionText(option: Json): string {
  const value = optionValue(option)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Choices with labels or values that are no texts: only the pipeline can say those. */
export function hasOwnOptions(draft: FieldDraft): boolean {
  return (draft.stored?.options ?? []).some((option) => isPlainObject(option) || typeof option !== 'string')
}

/** A field to send. Settings of other kinds are left out; an id is kept, and a new field gets its own from the server. */
export function toField(draft: FieldDraft): Omit<Field, 'id'> & { id?: string } {
  const { stored, type, tag } = draft
  const isText = type === 'text' || type === 'textarea'
  const isSame = stored?.type === type
  const label = draft.label.trim()
  return {
    ...(stored && { id: stored.id }),
    tag: tag.trim(),
    type,
    ...(label && { label }),
    ...(draft.required && { required: true }),
    ...(isText && draft.maxLength !== undefined && { maxLength: draft.maxLength }),
    ...(type === 'select' && { options: hasOwnOptions(draft) && isSame ? stored.options : draft.options }),
    ...(type === 'collection' && {
      allowedBlockKeys: draft.allowedBlockKeys,
      ...(draft.minItems !== undefined && { minItems: draft.minItems }),
      ...(draft.maxItems !== undefined && { maxItems: draft.maxItems }),
    }),
    // A default of another kind, or a choice that is gone, would be refused.
    ...(isSame && stored.default !== undefined && isStillChoice(draft, stored.default) && { default: stored.default }),
    ...(isSame && !isFieldType(type) && stored.options && { options: stored.options }),
  }
}

function isStillChoice(draft: FieldDraft, value: Json): boolean {
  return draft.type !== 'select' || draft.options.includes(optionText(value))
}

/** Faults that prevent saving a field, as far as the form can find them before the server. */
export function faultsOf(draft: FieldDraft): FieldFault[] {
  const isCollection = draft.type === 'collection'
  const isText = draft.type === 'text' || draft.type === 'textarea'
  return [
    ...(draft.tag.trim() === '' ? [{ member: 'tag', text: 'tagMissing' } as const] : []),
    ...(draft.type === 'select' && draft.options.length === 0 ? [{ member: 'options', text: 'optionsMissing' } as const] : []),
    ...(isCollection && draft.allowedBlockKeys.length === 0 ? [{ member: 'allowed', text: 'allowedMissing' } as const] : []),
    ...(isText && !isCount(draft.maxLength, 1) ? [{ member: 'length', text: 'numberFault' } as const] : []),
    ...(isCollection && !(isCount(draft.minItems, 0) && isCount(draft.maxItems, 0))
      ? [{ member: 'items', text: 'numberFault' } as const]
      : []),
    ...(isCollection && (draft.minItems ?? 0) > (draft.maxItems ?? Infinity) ? [{ member: 'items', text: 'itemsFault' } as const] : []),
  ]
}

/** Whether it is empty or a whole number. */
function isCount(value: number | undefined, least: number): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= least)
}

export type Risk = { name: string } & ({ kind: 'removed' } | { kind: 'retagged'; before: string; after: string } | { kind: 'retyped' })

/** What a save takes away from apps that are already installed. */
export function risksOf(before: readonly Field[], after: readonly FieldDraft[]): Risk[] {
  const kept = new Map(after.flatMap((draft) => (draft.stored ? [[draft.stored.id, draft]] : [])))
  return before.flatMap((field): Risk[] => {
    const name = field.label || field.tag
    const draft = kept.get(field.id)
    if (!draft) return [{ kind: 'removed', name }]
    const tag = draft.tag.trim()
    return [
      ...(tag === field.tag ? [] : [{ kind: 'retagged' as const, name, before: field.tag, after: tag }]),
      ...(draft.type === field.type ? [] : [{ kind: 'retyped' as const, name }]),
    ]
  })
}

/** `Summer sale!` → `summer_sale`: a proposed key. */
export function keyFrom(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 100)
}
