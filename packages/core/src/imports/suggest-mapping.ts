/** What the columns of a file seem to mean, told from their headings and from what stands in them. Only a suggestion: whoever imports decides. */
import { readEmail } from '../identity/contact.ts'
import { isAttributeName } from '../targeting/fields.ts'
import type { IdentityType, ColumnType } from './mapping.ts'
import { isBlank, readCell } from './read-cell.ts'

export type SeenColumn = { name: string; values: readonly string[] }
export type SuggestedColumn = {
  name: string
  type: ColumnType
  pii: boolean
  /** What it would say of whom a row is about; none when it looks like nothing of the kind. */
  identity: IdentityType | undefined
}
export type Suggestion = {
  /** Which column says whom a row is about; none when nothing looks like it. */
  identity: { at: number; type: IdentityType } | undefined
  /** A suggestion for every column. */
  columns: SuggestedColumn[]
}

const EMAIL = /e-?mail|^mail$|بريد|إيميل|ايميل/i
const PHONE = /phone|mobile|msisdn|whatsapp|^tel$|جوال|هاتف|موبايل|تلفون/i
const USER_ID =
  /^(?:user|customer|client|member|contact|profile|account|external|crm)?[ _-]*(?:id|key|code|number|no\.?|ref(?:erence)?)$|^(?:user|customer|client)$|معر[فّ]+ ?(?:المستخدم|العميل|العضو)|رقم (?:المستخدم|العميل|العضو)|^المعر/i
/** Words of headings whose columns are about somebody in person. */
const PERSONAL =
  /name$|^name|first|last|birth|dob|gender|sex$|address|street|national|passport|iqama|iban|card|salary|ip$|اسم|ميلاد|عنوان|هوية|إقامة|اقامة|جواز|آيبان|راتب|الجنس/i
const HASH = /^[0-9a-f]{64}$/i
const PHONE_NUMBER = /^(?:\+|00)?\d[\d\s().-]{6,18}\d$/
/** An identity number of Saudi Arabia. */
const NATIONAL_ID = /^[12]\d{9}$/
const SWITCH_WORDS = new Set(['true', 'false', 'yes', 'no'])

export function suggestMapping(columns: readonly SeenColumn[]): Suggestion {
  const seen = columns.map(({ name, values }) => ({ name: name.trim(), values: values.filter((value) => !isBlank(value)) }))
  const taken = new Set<string>()
  return {
    identity: identityOf(seen),
    columns: seen.map((column, at) => ({
      name: attributeNameOf(column.name, at, taken),
      type: typeOf(column.values),
      pii: isPersonal(column),
      identity: identityTypeOf(column.name, column.values)?.type ?? namedIdentity(column.name),
    })),
  }
}

/** A user id goes before an email and that before a number: it is what apps call people by. */
function identityOf(columns: readonly SeenColumn[]): Suggestion['identity'] {
  const candidates = columns.flatMap(({ name, values }, at) => {
    const found = identityTypeOf(name, values)
    return found ? [{ at, ...found }] : []
  })
  const [best] = candidates.toSorted((a, b) => b.score - a.score)
  return best && { at: best.at, type: best.type }
}

function identityTypeOf(name: string, values: readonly string[]): { type: IdentityType; score: number } | undefined {
  if (values.length === 0) return undefined
  if (mostAre(values, (value) => HASH.test(value.trim()))) return { type: PHONE.test(name) ? 'phone_sha256' : 'email_sha256', score: 2 }
  if (mostAre(values, (value) => readEmail(value) !== undefined)) return { type: 'email', score: EMAIL.test(name) ? 5 : 4 }
  if (PHONE.test(name) && mostAre(values, isPhone)) return { type: 'phone', score: 3 }
  const areDistinct = new Set(values).size > values.length * 0.5
  return USER_ID.test(name) && areDistinct ? { type: 'userId', score: 6 } : undefined
}

/** What a heading alone says, where the values say nothing. */
function namedIdentity(name: string): IdentityType | undefined {
  return PHONE.test(name) ? 'phone' : EMAIL.test(name) ? 'email' : undefined
}

function isPersonal({ name, values }: SeenColumn): boolean {
  if (EMAIL.test(name) || PHONE.test(name) || PERSONAL.test(name)) return true
  if (values.length === 0) return false
  return mostAre(
    values,
    (value) => readEmail(value) !== undefined || NATIONAL_ID.test(value.trim()) || /^(?:\+|00|05)\d{8,14}$/.test(value.trim()),
  )
}

/** A type is suggested only when every value that was looked at is one of it: a row with one that is not would be rejected whole. */
function typeOf(values: readonly string[]): ColumnType {
  if (values.length === 0) return 'string'
  const all = (type: ColumnType) => values.every((value) => readCell(value, { type }) !== undefined)
  if (values.every((value) => SWITCH_WORDS.has(value.trim().toLowerCase()))) return 'boolean'
  // Leading zeros and long digits are of codes, which are no quantities.
  if (!values.some((value) => /^\s*[+0]\d/.test(value) || /\d{16}/.test(value)) && all('number')) return 'number'
  if (all('date')) return 'date'
  return values.some((value) => value.includes('|')) ? 'list' : 'string'
}

/** `Tier (2026)` is `tier_2026`; of two columns of one name the second is `tier_2`. */
function attributeNameOf(heading: string, at: number, taken: Set<string>): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = isAttributeName(plain) ? plain : isAttributeName(plain.slice(0, 50)) ? plain.slice(0, 50) : `column_${at + 1}`
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base.slice(0, 60)}_${number}`
  taken.add(name)
  return name
}

function isPhone(value: string): boolean {
  return PHONE_NUMBER.test(value.trim())
}

/** One slip among many does not change what a column is. */
function mostAre(values: readonly string[], is: (value: string) => boolean): boolean {
  return values.filter(is).length >= values.length * 0.8
}
