import { cutText } from '../cut-text.ts'
import { isPlainObject, textLength, type Json } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import type { StringRow } from './plan-sync.ts'

type Rows = { ok: true; rows: StringRow[] } | { ok: false; error: string }

/** The rows of a sync (M57 to M61), or why the whole payload is refused. `null` counts as left out. A step for each row. */
export function* readRows(input: unknown): Generator<undefined, Rows> {
  const sent = isPlainObject(input) ? input['strings'] : undefined
  if (!Array.isArray(sent)) return { ok: false, error: 'the body must be {strings: [...]}, an array of rows' }
  if (sent.length === 0) return { ok: false, error: 'strings must have at least one row' }
  if (sent.length > LIMITS.stringsPerSync) return { ok: false, error: `strings must have at most ${LIMITS.stringsPerSync} rows` }
  const rows: StringRow[] = []
  for (const [index, entry] of sent.entries()) {
    const read = readRow(entry)
    if (typeof read === 'string') return { ok: false, error: `strings[${index}]: ${read}` }
    rows.push(read)
    yield
  }
  return { ok: true, rows }
}

function readRow(entry: Json): StringRow | string {
  if (!isPlainObject(entry)) return 'a row must be an object'
  const { key, sourceText, namespace, description, values = null } = entry
  if (typeof key !== 'string') return 'key must be a string'
  const row: StringRow = { key, values: new Map() }
  for (const [name, text] of Object.entries({ sourceText, namespace, description })) {
    if (text === undefined || text === null) continue
    if (typeof text !== 'string') return `${name} must be a string`
    row[name as 'sourceText'] = text
  }
  if (values !== null && !isPlainObject(values)) return 'values must be an object of locale codes and texts'
  for (const [locale, text] of Object.entries(values ?? {})) {
    if (text !== null && typeof text !== 'string') return `values.${cutText(locale, 40)} must be a string`
    if (text !== null) (row.values as Map<string, string>).set(locale, text)
  }
  return rowFault(row) ?? row
}

/** Why a row cannot be stored: a limit of one of its members. */
export function rowFault(row: Partial<StringRow>): string | undefined {
  const { key, namespace, description, sourceText, values } = row
  if (key !== undefined) {
    const fault = keyFault(key)
    if (fault) return fault
  }
  if (namespace !== undefined && isLonger(namespace, LIMITS.namespaceLength))
    return `namespace must have at most ${LIMITS.namespaceLength} characters`
  if (description !== undefined && isLonger(description, LIMITS.stringDescriptionLength))
    return `description must have at most ${LIMITS.stringDescriptionLength} characters`
  if (sourceText !== undefined && isLonger(sourceText, LIMITS.stringTextLength)) return tooLong('sourceText')
  for (const [locale, text] of values ?? []) if (isLonger(text, LIMITS.stringTextLength)) return tooLong(`values.${cutText(locale, 40)}`)
  return undefined
}

/** M-STRS-02, M-STRS-30. */
export function keyFault(key: string): string | undefined {
  if (key !== '' && !isLonger(key, LIMITS.stringKeyLength)) return undefined
  return `key must have 1 to ${LIMITS.stringKeyLength} characters`
}

function tooLong(member: string): string {
  return `${member} must have at most ${LIMITS.stringTextLength} characters`
}

/** Counts only where the answer is not plain from the number of UTF-16 units. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && textLength(text) > limit
}
