import { commentOf, HEADER } from './names.ts'
import type { FieldKind, Model, ParameterKind } from './model.ts'

/** Types for `createClient<Blocks, Texts>()` of the SDK. */
export function typescript({ blocks, texts }: Model): string {
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
  lines.push('}', '')
  return lines.join('\n')
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
