import { readMessage, type Argument, type Message } from './message-format.ts'
import { pluralForms } from './plural-rules.ts'

export type Fault =
  | 'missing_placeholder'
  | 'extra_placeholder'
  | 'changed_type'
  | 'missing_other'
  | 'missing_plural'
  | 'missing_option'
  | 'quoted_placeholder'
  | 'unbalanced_braces'
  | 'missing_tag'
  | 'extra_tag'
export type Warning = {
  code: Fault
  /** As it is written in the text; null when it is about the text as a whole. */
  placeholder: string | null
  message: string
  /** Applications would show the text wrong, or fail. */
  isBreaking: boolean
}

/** What a text has besides words. */
export type Placeholders = {
  message: Message
  /** `{...}` as written, for texts in whose format braces mean something else. */
  braces: string[]
  /** The kind of value of each printf placeholder, by position. */
  printf: Map<string, string>
  tags: string[]
}

/** A text with hundreds of faults needs no list of them all. */
const MOST_WARNINGS = 20

/** A percent sign right after a digit is a percentage. */
const PRINTF =
  /%%|(?<!\d)%(?:(?<position>\d{1,2})\$|\((?<name>\w{1,100})\))?[-+#0]{0,4}\d{0,4}(?:\.\d{0,4})?(?:hh|h|ll|l|L|q|z|t|j)?(?<kind>[sdiufFeEgGxXoc@])/g
const TAG = /<\/?[A-Za-z0-9][\w.-]{0,50}(?:\s[^<>]{0,500})?\/?>/g
const BRACES = /\{[^{}]*\}/g
const KINDS: Record<string, string> = { s: 'text', '@': 'text', c: 'character', d: 'whole number', i: 'whole number', u: 'whole number' }
const NOTHING: Placeholders = {
  message: { ok: true, arguments: [], named: [], quoted: [], hasLooseBrace: false },
  braces: [],
  printf: new Map(),
  tags: [],
}

export function readPlaceholders(text: string): Placeholders {
  if (!/[{}%<]/.test(text)) return NOTHING
  return {
    message: readMessage(text),
    braces: [...new Set(text.match(BRACES))],
    printf: readPrintf(text),
    tags: [...text.matchAll(TAG)].map(([tag]) => tag.replace(/^(<\/?[\w.-]+).*?(\/?>)$/s, '$1$2')),
  }
}

/** Those without a position take the next one, so that `%s of %s` is the same as `%1$s of %2$s`. */
function readPrintf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  let next = 1
  for (const { groups } of text.matchAll(PRINTF)) {
    if (groups?.['kind'] === undefined) continue
    const position = groups['name'] ?? groups['position'] ?? String(next++)
    found.set(position, KINDS[groups['kind']] ?? (/[feg]/i.test(groups['kind']) ? 'number' : 'code'))
  }
  return found
}

/** What is wrong with the placeholders of `translation`, measured by those of its source. The worst comes first. */
export function comparePlaceholders(source: Placeholders, translation: Placeholders, locale: string): Warning[] {
  if (source === NOTHING && translation === NOTHING) return []
  const warnings = [
    ...compareMessages(source, translation, locale),
    ...comparePrintf(source.printf, translation.printf),
    ...compareTags(source.tags, translation.tags),
  ]
  return warnings.sort((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MOST_WARNINGS)
}

function compareMessages(source: Placeholders, translation: Placeholders, locale: string): Warning[] {
  // The format of the source is not this one, so nobody knows what a brace means.
  if (!source.message.ok) return compareNames(source.braces, translation.braces, false)
  if (!translation.message.ok)
    return [{ code: 'unbalanced_braces', placeholder: null, message: translation.message.error, isBreaking: true }]
  const quoted = new Set(translation.message.quoted)
  const warnings = [
    ...compareNames(source.message.named, translation.message.named, true),
    ...compareArguments(byName(source.message.arguments), byName(translation.message.arguments), quoted, locale),
    ...translation.message.arguments.flatMap((argument) => branchFaults(argument, locale)),
  ]
  if (translation.message.hasLooseBrace && !source.message.hasLooseBrace)
    warnings.push({ code: 'unbalanced_braces', placeholder: '}', message: 'a closing brace closes nothing', isBreaking: false })
  return warnings
}

function missing(placeholder: string, isBreaking: boolean): Warning {
  return { code: 'missing_placeholder', placeholder, message: `${placeholder} from the source text is missing`, isBreaking }
}

function extra(placeholder: string, isBreaking: boolean): Warning {
  return { code: 'extra_placeholder', placeholder, message: `${placeholder} is not in the source text`, isBreaking }
}

function compareNames(source: readonly string[], translation: readonly string[], isBreaking: boolean): Warning[] {
  const [wanted, found] = [new Set(source), new Set(translation)]
  return [
    ...[...wanted].filter((name) => !found.has(name)).map((name) => missing(name, isBreaking)),
    ...[...found].filter((name) => !wanted.has(name)).map((name) => extra(name, isBreaking)),
  ]
}

/** The uses of one argument in one text, together. */
type Uses = { types: Set<Argument['type']>; options: Set<string> }

function byName(found: readonly Argument[]): Map<string, Uses> {
  const uses = new Map<string, Uses>()
  for (const { name, type, options } of found) {
    const use = uses.get(name) ?? { types: new Set(), options: new Set() }
    use.types.add(type)
    if (type === 'select') for (const option of options) use.options.add(option)
    uses.set(name, use)
  }
  return uses
}

function compareArguments(
  source: Map<string, Uses>,
  translation: Map<string, Uses>,
  quoted: ReadonlySet<string>,
  locale: string,
): Warning[] {
  const warnings: Warning[] = []
  for (const [name, wanted] of source) {
    const found = translation.get(name)
    if (found) warnings.push(...compareUses(name, wanted, found, locale))
    else if (quoted.has(`{${name}}`)) warnings.push(quotedWarning(name, wanted))
    else warnings.push(missing(`{${name}}`, true))
  }
  for (const name of translation.keys()) if (!source.has(name)) warnings.push(extra(`{${name}}`, true))
  return warnings
}

/** Where a bare `{name}` is filled in by other means than MessageFormat, the apostrophe does no harm. */
function quotedWarning(name: string, { types }: Uses): Warning {
  return {
    code: 'quoted_placeholder',
    placeholder: `{${name}}`,
    message: `{${name}} stands right after an apostrophe and is shown as it is; write '' for the apostrophe`,
    isBreaking: [...types].some((type) => type !== 'none'),
  }
}

function compareUses(name: string, source: Uses, translation: Uses, locale: string): Warning[] {
  const warnings: Warning[] = []
  // A language with one form for all counts needs no plural.
  const needsNoPlural = source.types.has('plural') && pluralForms(locale, 'cardinal').length === 1
  const changed = [...translation.types].filter((type) => !source.types.has(type) && !(type === 'none' && needsNoPlural))
  if (changed.length > 0) {
    const [from, to] = [[...source.types].map(valueOf), changed.map(valueOf)]
    warnings.push({
      code: 'changed_type',
      placeholder: `{${name}}`,
      message: `{${name}} is ${listTypes(source.types)} in the source text and ${listTypes(new Set(changed))} here`,
      isBreaking: !from.includes('any') && to.some((value) => value !== 'any' && !from.includes(value)),
    })
  }
  const lost = translation.types.has('select') ? [...source.options].filter((option) => !translation.options.has(option)) : []
  if (lost.length > 0)
    warnings.push({
      code: 'missing_option',
      placeholder: `{${name}}`,
      message: `{${name}, select} is missing the options ${lost.slice(0, 5).join(', ')} from the source text`,
      isBreaking: false,
    })
  return warnings
}

function listTypes(types: ReadonlySet<Argument['type']>): string {
  return [...types].map((type) => (type === 'none' ? 'a plain value' : `a ${type}`)).join(' and ')
}

/** What kind of value an application has to give. */
function valueOf(type: Argument['type']): 'any' | 'date' | 'text' | 'number' {
  if (type === 'none') return 'any'
  if (type === 'date' || type === 'time') return 'date'
  return type === 'select' ? 'text' : 'number'
}

function branchFaults({ name, type, options }: Argument, locale: string): Warning[] {
  if (options.length === 0) return []
  const placeholder = `{${name}, ${type}}`
  if (!options.includes('other'))
    return [{ code: 'missing_other', placeholder, message: `${placeholder} is missing the option other`, isBreaking: true }]
  if (type === 'select') return []
  const lacking = pluralForms(locale, type === 'plural' ? 'cardinal' : 'ordinal').flatMap(({ form }) =>
    options.includes(form) ? [] : [form],
  )
  if (lacking.length === 0) return []
  return [
    { code: 'missing_plural', placeholder, message: `${placeholder} is missing ${lacking.join(', ')} of ${locale}`, isBreaking: false },
  ]
}

/** Without any in the source a percent sign is most likely one. */
function comparePrintf(source: Map<string, string>, translation: Map<string, string>): Warning[] {
  const show = (position: string) => (/^\d/.test(position) ? `placeholder ${position} of the % kind` : `%(${position})`)
  const warnings: Warning[] = []
  for (const [position, kind] of source) {
    const found = translation.get(position)
    if (found === undefined) warnings.push({ ...missing(show(position), true) })
    else if (found !== kind)
      warnings.push({
        code: 'changed_type',
        placeholder: show(position),
        message: `${show(position)} is a ${kind} in the source text and a ${found} here`,
        isBreaking: true,
      })
  }
  for (const position of translation.keys()) if (!source.has(position)) warnings.push(extra(show(position), source.size > 0))
  return warnings
}

function compareTags(source: readonly string[], translation: readonly string[]): Warning[] {
  const balance = new Map<string, number>()
  for (const tag of source) balance.set(tag, (balance.get(tag) ?? 0) + 1)
  for (const tag of translation) balance.set(tag, (balance.get(tag) ?? 0) - 1)
  const warnings: Warning[] = []
  for (const [tag, count] of balance) {
    if (count > 0)
      warnings.push({ code: 'missing_tag', placeholder: tag, message: `${tag} from the source text is missing`, isBreaking: false })
    if (count < 0) warnings.push({ code: 'extra_tag', placeholder: tag, message: `${tag} is not in the source text`, isBreaking: false })
  }
  return warnings
}
