import { readBranchings, readMessage } from './message-format.ts'
import { readPlaceholders } from './placeholders.ts'
import { pluralForms } from './plural-rules.ts'

type Form = {
  /** `one`, `=0`, or an option of a select. */
  name: string
  /** Between the name and its brace. */
  space: string
  text: string
  /** Behind the closing brace. */
  gap: string
}
/** A text that is one plural or select, in its parts: put together they are the text again, sign by sign. */
export type TextForms = {
  type: 'plural' | 'selectordinal' | 'select'
  argument: string
  before: string
  /** From the opening brace to the first form. */
  head: string
  forms: Form[]
  after: string
}

const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other']

/** The forms of a text that has exactly one plural or select, those within its forms aside; undefined of any other. */
export function readForms(text: string): TextForms | undefined {
  const [found, ...more] = readBranchings(text) ?? []
  const [first] = found?.options ?? []
  if (!found || !first || more.length > 0) return undefined
  const { name: argument, type, start, end, options } = found
  const forms = options.map((option, at) => ({
    name: option.name,
    space: text.slice(option.start + option.name.length, option.open),
    text: text.slice(option.open + 1, option.close),
    gap: text.slice(option.close + 1, options[at + 1]?.start ?? end - 1),
  }))
  return { type, argument, before: text.slice(0, start), head: text.slice(start, first.start), forms, after: text.slice(end) }
}

export function writeForms({ before, head, forms, after }: TextForms): string {
  return `${before}${head}${forms.map(({ name, space, text, gap }) => `${name}${space}{${text}}${gap}`).join('')}}${after}`
}

/** With another text of one form. A plural form that becomes empty is left out, so that `other` stands in for it. */
export function setForm(whole: TextForms, name: string, text: string): TextForms {
  const at = whole.forms.findIndex((form) => form.name === name)
  if (at === -1) return text === '' ? whole : { ...whole, forms: inserted(whole.forms, name, text) }
  const isOptional = whole.type !== 'select' && name !== 'other' && ORDER.includes(name)
  const isLeftOut = text === '' && isOptional && whole.forms.length > 1
  return { ...whole, forms: isLeftOut ? without(whole.forms, at) : whole.forms.with(at, { ...whole.forms[at]!, text }) }
}

function inserted(forms: readonly Form[], name: string, text: string): Form[] {
  const rank = (form: string) => (form.startsWith('=') ? -1 : ORDER.indexOf(form))
  const at = forms.findIndex((form) => rank(form.name) > rank(name))
  if (at !== -1) return forms.toSpliced(at, 0, { name, space: ' ', text, gap: ' ' })
  const last = forms.at(-1)
  if (!last) return [{ name, space: ' ', text, gap: '' }]
  return [...forms.slice(0, -1), { ...last, gap: ' ' }, { name, space: ' ', text, gap: last.gap }]
}

/** What stood behind the last form goes on to stand at the end. */
function without(forms: readonly Form[], at: number): Form[] {
  const rest = forms.toSpliced(at, 1)
  const last = rest.at(-1)
  return at === rest.length && last ? rest.with(rest.length - 1, { ...last, gap: forms[at]?.gap ?? '' }) : rest
}

/**
 * A plural that says what the plain text says, for every form of the language: of `argument`, else of the number the
 * text names, else of `count`. Undefined where that cannot be said for certain.
 */
export function startPlural(text: string, locale: string, argument?: string): string | undefined {
  const message = readMessage(text)
  if (!message.ok || readPlaceholders(text).printf.size > 0) return undefined
  const name = argument ?? numberOf(text) ?? 'count'
  if (text === '') return `{${name}, plural, other {}}`
  // {{n}} is a value to us and broken to ICU.
  if (text.includes('{{')) return undefined
  // A # is the number within a plural; quoted, it could meet an apostrophe of the text.
  if (text.includes('#') && text.includes("'")) return undefined
  const form = text.replaceAll('#', "'#'")
  const forms = languageForms(locale, 'plural').map((one) => `${one.form} {${form}}`)
  const plural = `{${name}, plural, ${forms.join(' ')}}`
  const read = readForms(plural)
  return read?.forms.every((written) => written.text === form) === true ? plural : undefined
}

/** The argument of a text that may be a number: one that is written as such, else the first without a type. */
export function numberOf(text: string): string | undefined {
  const message = readMessage(text)
  if (!message.ok) return undefined
  return (message.arguments.find(({ type }) => type === 'number') ?? message.arguments.find(({ type }) => type === 'none'))?.name
}

/** The forms of a language with an example of each; those of English where nobody knows its rules, as in apps. */
export function languageForms(locale: string, type: TextForms['type']) {
  if (type === 'select') return []
  const kind = type === 'plural' ? 'cardinal' : 'ordinal'
  const forms = pluralForms(locale, kind)
  return forms.length > 0 ? forms : pluralForms('en', kind)
}

export type ShownForm = {
  name: string
  text: string
  /** A count that takes it; null of an option that is no count. */
  example: number | null
}

/** What is shown of a text, in order: counts with a text of their own, the forms of the language, and what else it has. */
export function shownForms({ type, forms }: TextForms, locale: string): ShownForm[] {
  const ofLanguage = languageForms(locale, type)
  const textOf = (name: string) => forms.find((form) => form.name === name)?.text ?? ''
  const others = forms.filter(({ name }) => ofLanguage.every(({ form }) => form !== name))
  const show = ({ name, text }: Form): ShownForm => ({ name, text, example: name.startsWith('=') ? Number(name.slice(1)) : null })
  return [
    ...others.filter(({ name }) => name.startsWith('=')).map(show),
    ...ofLanguage.map(({ form, example }) => ({ name: form, text: textOf(form), example })),
    ...others.filter(({ name }) => !name.startsWith('=')).map(show),
  ]
}
