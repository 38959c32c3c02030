/** Values to try a text with, and the counts that bring out each of its plural forms. */
import { readMessage, type Argument } from '@contentflow/core/strings/message-format.ts'

export type Sample = { name: string; kind: 'number' | 'date' | 'choice' | 'text'; /** Of a choice. */ options: string[] }

/** The placeholders that can be filled in any of the texts, in the order of their first use. */
export function samplesOf(texts: readonly string[]): Sample[] {
  const found = new Map<string, Sample>()
  for (const { name, type, options } of texts.flatMap(argumentsOf)) {
    const known = found.get(name)
    const kind = kindOf(type)
    if (!known || (known.kind === 'text' && kind !== 'text')) found.set(name, { name, kind, options: kind === 'choice' ? options : [] })
    else if (known.kind === 'choice' && kind === 'choice') known.options = [...new Set([...known.options, ...options])]
  }
  return [...found.values()]
}

function argumentsOf(text: string): Argument[] {
  const message = readMessage(text)
  if (!message.ok) return []
  const named = message.named.map((written): Argument => ({ name: written.replaceAll(/[%{}]/g, ''), type: 'none', options: [] }))
  return [...message.arguments, ...named]
}

function kindOf(type: Argument['type']): Sample['kind'] {
  if (type === 'none') return 'text'
  if (type === 'date' || type === 'time') return 'date'
  return type === 'select' ? 'choice' : 'number'
}

/** The sample value before a person types one; a text placeholder shows its own name. */
export function sampleText({ name, kind, options }: Sample, today: string): string {
  if (kind === 'number') return '3'
  if (kind === 'date') return today
  return kind === 'choice' ? (options[0] ?? 'other') : name
}

/** Fields hold texts; a text gets what they mean. */
export function valuesOf(samples: readonly Sample[], typed: Readonly<Record<string, string>>): Record<string, string | number | Date> {
  return Object.fromEntries(
    samples.map(({ name, kind }) => {
      const text = typed[name] ?? ''
      if (kind === 'number') return [name, Number(text)]
      return [name, kind === 'date' ? new Date(text) : text]
    }),
  )
}

/** `form`: a form of the language, or `=5` for a count that has a text of its own. */
export type PluralForm = { name: string; form: string; count: number }

/** The sample values that show a text in every form of each of its plurals in the language. */
export function pluralForms(text: string, locale: string): PluralForm[] {
  const plurals = argumentsOf(text).filter(({ type }) => type === 'plural' || type === 'selectordinal')
  return [...new Map(plurals.map((argument) => [argument.name, argument])).values()].flatMap(({ name, type, options }) =>
    countsOf(locale, type === 'plural' ? 'cardinal' : 'ordinal', options).map((form) => ({ name, ...form })),
  )
}

/** Forms of larger numbers are of millions and of fractions, which few texts have. */
const LARGEST_TRIED = 200

/** The least count of each form, those with a text of their own apart. */
export function countsOf(locale: string, type: 'cardinal' | 'ordinal', options: readonly string[]): { form: string; count: number }[] {
  const exact = options.filter((option) => /^=\d+$/.test(option)).map((form) => ({ form, count: Number(form.slice(1)) }))
  const taken = new Set(exact.map(({ count }) => count))
  const rules = rulesOf(locale, type)
  const forms = new Map<string, number>()
  for (let count = 0; count <= LARGEST_TRIED; count++) {
    const form = rules.select(count)
    if (!taken.has(count) && !forms.has(form)) forms.set(form, count)
  }
  return [...exact, ...[...forms].map(([form, count]) => ({ form, count }))].sort((a, b) => a.count - b.count)
}

function rulesOf(locale: string, type: 'cardinal' | 'ordinal'): Intl.PluralRules {
  try {
    return new Intl.PluralRules(locale, { type })
  } catch {
    // A code of the workspace's own, without known rules: formatted like English, as in apps.
    return new Intl.PluralRules('en', { type })
  }
}
