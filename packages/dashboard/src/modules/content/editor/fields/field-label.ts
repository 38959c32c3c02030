import { isPlainObject, optionValue, type Field, type Json } from '@contentflow/core/blocks/field.ts'

/** The name of a field for people: its label, or its tag in words. */
export function fieldLabel({ label, tag }: Pick<Field, 'label' | 'tag'>): string {
  if (label) return label
  const words = tag.replace(/^#/, '').replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? tag : words[0]?.toUpperCase() + words.slice(1)
}

export type Choice = { value: string; label: string; json: Json }

/** The options of a select; `value` is a name for the control, `json` what is stored. */
export function choicesOf({ options = [] }: Field): Choice[] {
  const choices = options.map((option): Choice => {
    const json = optionValue(option)
    const label = isPlainObject(option) && typeof option['label'] === 'string' ? option['label'] : undefined
    return { value: JSON.stringify(json), label: label ?? (typeof json === 'string' ? json : JSON.stringify(json)), json }
  })
  return choices.filter(({ value }, index) => choices.findIndex((other) => other.value === value) === index)
}
