/** The input of typed code: block types, texts and declared events, sorted, so that the output does not depend on the order of the server. */
import { isFieldType, isPlainObject, optionValue, type Json } from '@contentflow/core/blocks/field.ts'
import { parseDefinition } from '@contentflow/core/blocks/definition.ts'
import { readDeclaredType } from '@contentflow/core/events/catalog/declared-type.ts'
import type { DeclaredKind } from '@contentflow/core/events/catalog/property-kind.ts'
import { readPlaceholders } from '@contentflow/core/strings/placeholders.ts'

export type FieldKind =
  | { is: 'text' | 'number' | 'flag' | 'unknown' }
  /** One of these values, all texts or of several kinds. */
  | { is: 'choice'; options: Json[] }
  /** Blocks of these types. */
  | { is: 'blocks'; keys: string[] }
type FieldModel = { tag: string; label: string; isRequired: boolean; kind: FieldKind }
export type BlockModel = { key: string; name: string; fields: FieldModel[] }
/** `any`: a text or a number. */
export type ParameterKind = 'any' | 'number' | 'date' | 'text'
export type TextModel = { key: string; source: string; parameters: { name: string; kind: ParameterKind }[] }
/** Kinds that the code tells apart; a date is a text. */
export type EventValueKind = Exclude<DeclaredKind, 'date'>
export type EventProperty = {
  name: string
  kind: EventValueKind
  choices: (string | number)[] | undefined
  isRequired: boolean
  comment: string
}
/** `key`: its type. */
export type EventModel = { key: string; description: string; properties: EventProperty[] }
export type Model = { blocks: BlockModel[]; texts: TextModel[]; events: EventModel[] }

/** `blocks`, `events`: as the server gives them. A field without a tag cannot be read by one, so it is left out. */
export function makeModel(
  blocks: readonly unknown[],
  texts: readonly { key: string; sourceText: string }[],
  events: readonly unknown[],
): Model {
  const definitions = blocks.flatMap((entry) => {
    const parsed = parseDefinition(entry)
    return parsed.ok ? [parsed.value] : []
  })
  const known = new Set(definitions.map(({ key }) => key))
  const blockModels = definitions.map(({ key, name, fields }): BlockModel => {
    // Delivery gives one value for a tag: that of the last field that has it.
    const byTag = new Map(fields.map((field) => [field.tag, field]))
    return {
      key,
      name,
      fields: [...byTag.values()].map(({ tag, type, label, required, options, allowedBlockKeys }) => ({
        tag,
        label: label ?? '',
        isRequired: required === true,
        kind: kindOf(
          type,
          options ?? [],
          (allowedBlockKeys ?? []).filter((allowed) => known.has(allowed)),
        ),
      })),
    }
  })
  const textModels = texts.map(({ key, sourceText }): TextModel => ({ key, source: sourceText, parameters: parametersOf(sourceText) }))
  return { blocks: blockModels.sort(byKey), texts: textModels.sort(byKey), events: events.flatMap(eventOf).sort(byKey) }
}

function eventOf(entry: unknown): EventModel[] {
  const read = readDeclaredType(entry)
  if (!read.ok) return []
  const { name: key, description, properties } = read.value
  const listed = Object.entries(properties).map(([name, property]): EventProperty => {
    const { kind, required, enum: choices, description: said = '' } = property
    const comment = kind !== 'date' ? said : said === '' ? 'ISO 8601' : `${said} (ISO 8601)`
    return { name, kind: kind === 'date' ? 'string' : kind, choices, isRequired: required === true, comment }
  })
  // What has to be there first: languages want it so.
  const ordered = listed.sort((a, b) => Number(b.isRequired) - Number(a.isRequired) || (a.name < b.name ? -1 : 1))
  return [{ key, description, properties: ordered }]
}

/** The values of a property that make an enum of texts. */
export function textChoices({ choices }: EventProperty): string[] | undefined {
  const texts = choices?.filter((value) => typeof value === 'string')
  return texts?.length === choices?.length ? texts : undefined
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : Number(a.key > b.key)
}

function kindOf(type: string, options: readonly Json[], keys: string[]): FieldKind {
  if (!isFieldType(type)) return { is: 'unknown' }
  switch (type) {
    case 'text':
    case 'textarea':
    case 'image':
    case 'url':
      return { is: 'text' }
    case 'number':
      return { is: 'number' }
    case 'toggle':
      return { is: 'flag' }
    case 'collection':
      return { is: 'blocks', keys: [...new Set(keys)].sort() }
    case 'select': {
      const values = options.map(optionValue).filter((value) => value !== null && !isPlainObject(value) && !Array.isArray(value))
      return values.length === 0 ? { is: 'unknown' } : { is: 'choice', options: [...new Set(values)] }
    }
    default:
      return type satisfies never
  }
}

/** The options that make an enum of texts; options of several kinds become any value. */
export function textOptions(kind: FieldKind): string[] | undefined {
  if (kind.is !== 'choice') return undefined
  const texts = kind.options.filter((option) => typeof option === 'string')
  return texts.length === kind.options.length ? texts : undefined
}

const NUMBERS = new Set(['number', 'plural', 'selectordinal', 'spellout', 'ordinal', 'duration', 'choice'])
/** Sections of other formats (`{{#each}}`) are no values. */
const NAMED = /^(?:\{{2,3}\s*([\w$.@-]+)\s*\}{2,3}|%\{([\w.-]+)\})$/

/** In the order of the text; a placeholder that is used in two ways takes what both accept. */
function parametersOf(text: string): TextModel['parameters'] {
  const { message } = readPlaceholders(text)
  if (!message.ok) return []
  const kinds = new Map<string, ParameterKind>()
  for (const { name, type } of message.arguments) {
    const kind = NUMBERS.has(type) ? 'number' : type === 'date' || type === 'time' ? 'date' : type === 'select' ? 'text' : 'any'
    const before = kinds.get(name)
    kinds.set(name, before === undefined || before === 'any' ? kind : before)
  }
  for (const written of message.named) {
    const [, doubled, percent] = NAMED.exec(written) ?? []
    const name = doubled ?? percent
    if (name !== undefined && !kinds.has(name)) kinds.set(name, 'any')
  }
  return [...kinds].map(([name, kind]) => ({ name, kind }))
}
