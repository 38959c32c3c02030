import { Text } from '@mantine/core'
import type { ShownForm, TextForms } from '@contentflow/core/strings/text-forms.ts'
import { readForms, shownForms } from '@contentflow/core/strings/text-forms.ts'
import { useFormat } from '../../format.ts'
import { inLanguage, type Locale } from './api.ts'
import { useFormsTexts } from './forms-texts.ts'
import classes from './strings.module.css'

const NAMES: Partial<Record<string, 'nameZero' | 'nameOne' | 'nameTwo' | 'nameFew' | 'nameMany' | 'nameOther'>> = {
  zero: 'nameZero',
  one: 'nameOne',
  two: 'nameTwo',
  few: 'nameFew',
  many: 'nameMany',
  other: 'nameOther',
}

/** The name of a form: in the language of the page, and with a number that takes it. */
export function useFormName(): (form: ShownForm, type: TextForms['type']) => string {
  const t = useFormsTexts()
  const format = useFormat()
  return ({ name, example }, type) => {
    const known = NAMES[name]
    const form = known === undefined ? `\u2068${name}\u2069` : t(known)
    if (type === 'select') return name === 'other' ? form : `\u2068${name}\u2069`
    if (example === null) return t('formUnused', { form })
    return name.startsWith('=')
      ? t('formExact', { example: format.number(example) })
      : t('formLike', { form, example: format.number(example) })
  }
}

/** A text to be read. A plural or select is shown form by form, each as the whole sentence it makes. */
export function MessageText({ text, locale, isClamped }: { text: string; locale: Locale | undefined; isClamped?: boolean }) {
  const nameOf = useFormName()
  const whole = readForms(text)
  const look = `${classes.text} ${isClamped ? classes.clamped : ''}`
  if (!whole)
    return (
      <Text component="div" size="sm" {...inLanguage(locale)} className={look}>
        {text}
      </Text>
    )
  const written = new Set(whole.forms.map(({ name }) => name))
  const shown = shownForms(whole, locale?.code ?? 'en').filter(({ name }) => written.has(name))
  return (
    <dl className={classes.forms}>
      {shown.map((form) => (
        <div key={form.name}>
          <Text component="dt" size="xs" c="dimmed">
            {nameOf(form, whole.type)}
          </Text>
          <Text component="dd" m={0} size="sm" {...inLanguage(locale)} className={look}>
            {whole.before}
            {form.text}
            {whole.after}
          </Text>
        </div>
      ))}
    </dl>
  )
}
