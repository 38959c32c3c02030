import { Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core'
import { IconListNumbers } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { readForms, setForm, shownForms, startPlural, writeForms, type TextForms } from '@contentflow/core/strings/text-forms.ts'
import { useId, useState, type ReactNode, type Ref } from 'react'
import { inLanguage, type Locale } from './api.ts'
import { useFormsTexts } from './forms-texts.ts'
import { useFormName } from './message-forms.tsx'
import classes from './strings.module.css'

type MessageFieldProps = {
  label: string
  /** The label is for screen readers only. */
  isLabelHidden?: boolean
  locale: Locale | undefined
  value: string
  onChange: (text: string) => void
  /** The number that a new plural depends on; null where there is none. By default that of the text. */
  argument?: string | null | undefined
  isReadOnly?: boolean
  isRequired?: boolean
  error?: ReactNode
  minRows?: number
  /** The first field. */
  fieldRef?: Ref<HTMLTextAreaElement>
}

/** A text in a language. A plural or select has a field for each of its forms, and its ICU text behind a switch. */
export function MessageField(props: MessageFieldProps) {
  const { locale, value, onChange, argument, isReadOnly = false } = props
  const t = useFormsTexts()
  const tag = locale?.code ?? 'en'
  const [isRaw, setRaw] = useState(false)
  // The typed text may be malformed for a moment; its fields stay.
  const [held, setHeld] = useState<{ text: string; whole: TextForms }>()
  const whole = held?.text === value ? held.whole : readForms(value)
  const change = (next: TextForms) => {
    const isEmpty = [next.before, next.after, ...next.forms.map(({ text }) => text)].every((text) => text === '')
    const text = isEmpty ? '' : writeForms(next)
    setHeld({ text, whole: next })
    onChange(text)
  }
  const start = () => {
    const begun = readForms(startPlural(value, tag, argument ?? undefined) ?? '')
    if (begun) change(begun)
  }
  const isStartable = !whole && !isRaw && !isReadOnly && argument !== null && startPlural(value, tag, argument) !== undefined
  return (
    <Stack gap={6}>
      {whole && !isRaw ? <FormFields {...props} whole={whole} tag={tag} onForms={change} /> : <PlainField {...props} isRaw={isRaw} />}
      {(whole ?? isRaw) && (
        <Switch size="xs" label={t('raw')} checked={isRaw} onChange={({ currentTarget }) => setRaw(currentTarget.checked)} />
      )}
      {isStartable && (
        <Group>
          <Button size="compact-xs" variant="subtle" color="gray" leftSection={<IconListNumbers size={14} aria-hidden />} onClick={start}>
            {t('start')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Escape leaves the field, not the panel around it. */
const STAYS = { 'data-mantine-stop-propagation': true }

function PlainField({
  label,
  isLabelHidden,
  locale,
  value,
  onChange,
  isReadOnly,
  isRequired,
  error,
  minRows,
  fieldRef,
  isRaw,
}: MessageFieldProps & { isRaw: boolean }) {
  return (
    <Textarea
      {...STAYS}
      ref={fieldRef}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      required={isRequired}
      readOnly={isReadOnly}
      // Its syntax is in Latin letters, whatever the texts within.
      {...(isRaw ? { dir: 'ltr', className: 'cf-code' } : inLanguage(locale))}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autosize
      minRows={minRows ?? 1}
      maxRows={12}
      maxLength={LIMITS.stringTextLength}
      error={error}
    />
  )
}

type FormFieldsProps = MessageFieldProps & { whole: TextForms; tag: string; onForms: (whole: TextForms) => void }

function FormFields({ label, isLabelHidden, locale, isReadOnly, error, fieldRef, whole, tag, onForms }: FormFieldsProps) {
  const t = useFormsTexts()
  const nameOf = useFormName()
  const id = useId()
  const shown = shownForms(whole, tag)
  const lacksOther = isOtherEmpty(whole)
  const field = (
    name: string,
    text: string,
    set: (text: string) => TextForms,
    more: { ref?: Ref<HTMLTextAreaElement>; error?: ReactNode },
  ) => (
    <Textarea
      {...STAYS}
      {...more}
      key={name}
      size="sm"
      label={name}
      classNames={{ root: classes.form, label: classes.formLabel, wrapper: classes.formField, error: classes.formField }}
      readOnly={isReadOnly}
      {...inLanguage(locale)}
      value={text}
      onChange={({ currentTarget }) => onForms(set(currentTarget.value))}
      autosize
      minRows={1}
      maxRows={8}
      maxLength={LIMITS.stringTextLength}
    />
  )
  return (
    <Stack gap={6} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <Text id={`${id}-label`} size="sm" fw={500} className={isLabelHidden ? classes.unseen : undefined}>
        {label}
      </Text>
      <Text id={`${id}-hint`} size="xs" c="dimmed">
        {t(whole.type === 'select' ? 'select' : 'plural', { argument: `\u2066{${whole.argument}}\u2069` })}
      </Text>
      {whole.before !== '' && field(t('before'), whole.before, (before) => ({ ...whole, before }), {})}
      {shown.map((form, at) =>
        field(nameOf(form, whole.type), form.text, (text) => setForm(whole, form.name, text), {
          ...(at === 0 && fieldRef && { ref: fieldRef }),
          ...(form.name === 'other' && lacksOther && { error: t('otherNeeded') }),
        }),
      )}
      {whole.after !== '' && field(t('after'), whole.after, (after) => ({ ...whole, after }), {})}
      {error && (
        <Text size="xs" c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  )
}

/** Something is written, but not the text that every other number takes. */
export function isOtherEmpty({ forms }: TextForms): boolean {
  const isFilled = ({ text }: { text: string }) => text.trim() !== ''
  return forms.some(isFilled) && forms.some((form) => form.name === 'other' && !isFilled(form))
}
