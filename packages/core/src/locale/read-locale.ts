import { isPlainObject, textLength, type JsonObject } from '../blocks/field.ts'
import type { Parsed } from '../blocks/definition.ts'
import { LIMITS } from '../limits.ts'
import { isRightToLeft } from './languages.ts'
import { readTag } from './pick-locale.ts'

/** A language of a workspace. null: what it is called in English, and in itself. */
export type Locale = { code: string; name: string | null; native: string | null; rtl: boolean }

export const CODE_FORM = 'a locale code such as ar or ar-SA'

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Names that are left out are those that everybody knows, and so is the direction. */
export function readLocale(body: unknown): Parsed<Locale> {
  if (!isPlainObject(body)) return no('The body must be a JSON object')
  const { rtl } = body
  const code = typeof body['code'] === 'string' ? readTag(body['code']) : undefined
  if (code === undefined) return no(`code must be ${CODE_FORM}`)
  if (rtl !== undefined && typeof rtl !== 'boolean') return no('rtl must be a boolean')
  const name = readName(body, 'name')
  if (!name.ok) return name
  const native = readName(body, 'native')
  if (!native.ok) return native
  return { ok: true, value: { code, name: name.value, native: native.value, rtl: rtl ?? isRightToLeft(code) } }
}

function readName(body: JsonObject, member: 'name' | 'native'): Parsed<string | null> {
  const name = body[member]
  if (name === undefined) return { ok: true, value: null }
  if (typeof name === 'string' && name.trim() !== '' && textLength(name) <= LIMITS.localeNameLength) return { ok: true, value: name }
  return no(`${member} must be a string of 1 to ${LIMITS.localeNameLength} characters`)
}
