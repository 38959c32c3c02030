import { commentOf, HEADER } from './names.ts'
import type { EventProperty, EventValueKind, FieldKind, Model, ParameterKind } from './model.ts'

/** Types for `createClient<Blocks, Texts, Events>()` of the SDK. */
export function typescript({ blocks, texts, events }: Model): string {
  const hasBlocks = blocks.some(({ fields }) => fields.some(({ kind }) => kind.is === 'blocks' && kind.keys.length > 0))
  const lines = [`// ${HEADER}`]
  if (hasBlocks) lines.push(`import type { BlockOf } from '@contentflow/sdk'`)
  lines.push('', '/** Values of block types, by key and tag. */', 'export interface Blocks {')
  for (const { key, name, fields } of blocks) {
    lines.push(`  /** ${commentOf(name)} */`, `  ${JSON.stringify(key)}: {`)
    for (const { tag, label, isRequired, kind } of fields) {
      if (commentOf(label) !== '') lines.push(`    /** ${commentOf(label)} */`)
      lines.push(`    readonly ${JSON.stringify(tag)}${isRequired ? '' : '?'}: ${typeOf(kind)}${isRequired ? '' : ' | null | undefined'}`)
    }
    lines.push('  }')
  }
  lines.push('}', '', '/** What each text is filled with, by key; undefined: nothing. */', 'export interface Texts {')
  for (const { key, source, parameters } of texts) {
    lines.push(`  /** ${commentOf(source)} */`)
    const members = parameters.map(({ name, kind }) => `readonly ${JSON.stringify(name)}: ${PARAMETERS[kind]}`)
    lines.push(`  ${JSON.stringify(key)}: ${members.length === 0 ? 'undefined' : `{ ${members.join('; ')} }`}`)
  }
  lines.push('}', '', '/** The properties of each declared event, by type; undefined: none. */', 'export interface Events {')
  for (const event of events) lines.push(...eventOf(event))
  lines.push('}', '')
  return lines.join('\n')
}

function eventOf({ key, description, properties }: Model['events'][number]): string[] {
  const comment = description === '' ? [] : [`  /** ${commentOf(description)} */`]
  if (properties.length === 0) return [...comment, `  ${JSON.stringify(key)}: undefined`]
  const members = properties.flatMap((property) => {
    const { name, isRequired, comment: said } = property
    const type = valueOf(property)
    return [
      ...(said === '' ? [] : [`    /** ${commentOf(said)} */`]),
      `    readonly ${JSON.stringify(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | null | undefined'}`,
    ]
  })
  return [...comment, `  ${JSON.stringify(key)}: {`, ...members, '  }']
}

function valueOf({ kind, choices }: EventProperty): string {
  return choices ? choices.map((value) => JSON.stringify(value)).join(' | ') : VALUES[kind]
}

const VALUES: Record<EventValueKind, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'Readonly<Record<string, unknown>>',
  array: 'readonly unknown[]',
}

function typeOf(kind: FieldKind): string {
  if (kind.is === 'choice') return kind.options.map((option) => JSON.stringify(option)).join(' | ')
  if (kind.is !== 'blocks') return SCALARS[kind.is]
  const keys = kind.keys.map((key) => JSON.stringify(key)).join(' | ')
  return keys === '' ? 'readonly []' : `readonly BlockOf<Blocks, ${keys}>[]`
}

const SCALARS = { text: 'string', number: 'number', flag: 'boolean', unknown: 'unknown' }

const PARAMETERS: Record<ParameterKind, string> = {
  any: 'string | number',
  text: 'string',
  number: 'number',
  date: 'Date | number',
}
