export type PluralForm = { form: string; /** The least count that takes it, zero last. */ example: number }

const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other']
/** Forms of millions are rarely translated. */
const LARGEST_TRIED = 200
/** Where no whole number takes the form `other`, a fraction does. */
const FRACTION = 1.5
const known = new Map<string, PluralForm[]>()

/** The forms that whole numbers up to 200 take in a language, and `other`, in the order of CLDR. None of a code that nobody knows. */
export function pluralForms(locale: string, type: 'cardinal' | 'ordinal'): PluralForm[] {
  const id = `${locale} ${type}`
  const found = known.get(id) ?? findForms(locale, type)
  if (known.size > 500) known.clear()
  known.set(id, found)
  return found
}

function findForms(locale: string, type: 'cardinal' | 'ordinal'): PluralForm[] {
  let rules: Intl.PluralRules
  try {
    rules = new Intl.PluralRules(locale, { type })
  } catch {
    return []
  }
  const examples = new Map<string, number>()
  // Zero is the example of its own form only: as the example of another one it would surprise.
  for (let count = 1; count <= LARGEST_TRIED; count++) {
    const form = rules.select(count)
    if (!examples.has(form)) examples.set(form, count)
  }
  if (!examples.has(rules.select(0))) examples.set(rules.select(0), 0)
  if (!examples.has('other')) examples.set('other', FRACTION)
  return ORDER.flatMap((form) => {
    const example = examples.get(form)
    return example === undefined ? [] : [{ form, example }]
  })
}
