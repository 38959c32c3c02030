import { Textarea, TextInput } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { textLength } from '@contentflow/core/blocks/field.ts'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { TokensMenu } from '../../../../ui/tokens/tokens-menu.tsx'
import { useTokens } from '../../../../ui/tokens/use-tokens.ts'
import { useFormat } from '../../../../format.ts'
import { useEditing } from '../editing-context.ts'
import { isAddress } from '../rich/schema.ts'
import { useTexts } from '../texts.ts'
import { fromLeft, fromRight } from './field-direction.tsx'

type WordInputProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** What the source language says. */
  inSource?: string | undefined
  description?: string | undefined
  /** Read from the left in every language, and checked. */
  isAddress?: boolean
  isLong?: boolean
  /** Characters that fit; how many there are is shown. */
  most?: number
  aside?: ReactNode
}

/** Words or an address of the mail in the language that is written; below it what the source language says. */
export function WordInput({
  label,
  value,
  onChange,
  inSource,
  description,
  isAddress: isUrl = false,
  isLong = false,
  most,
  aside,
}: WordInputProps) {
  const t = useTexts()
  const format = useFormat()
  const { locale, source, endStep } = useEditing()
  const tokens = useTokens()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const insert = (token: string) => {
    const { selectionStart, selectionEnd } = field.current ?? {}
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length]
    const text = `{{${token}}}`
    onChange(value.slice(0, from) + text + value.slice(to))
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(from + text.length, from + text.length)
    })
  }
  const length = textLength(value)
  const notes = [
    description,
    most === undefined ? undefined : t('counter', { length: format.number(length), most: format.number(most) }),
    inSource === undefined || inSource === '' || source === undefined
      ? undefined
      : `${t('inSource', { language: format.language(source) })} \u2068${inSource}\u2069`,
  ].filter((note) => note !== undefined)
  const Field = isLong ? Textarea : TextInput
  return (
    <Field
      ref={field}
      label={label}
      value={value}
      onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
        onChange(isUrl ? currentTarget.value.trim() : currentTarget.value)
      }
      onBlur={endStep}
      description={notes.length > 0 ? notes.map((note) => <div key={note}>{note}</div>) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      descriptionProps={{ component: 'div' }}
      error={isUrl && value !== '' && !isAddress(value) ? t('wrongAddress') : undefined}
      inputContainer={!isUrl && isRightToLeft(locale) ? fromRight : fromLeft}
      lang={isUrl ? undefined : locale}
      rightSection={aside ?? <TokensMenu label={label} tokens={tokens} onPick={insert} />}
      rightSectionPointerEvents="all"
      spellCheck={!isUrl}
      autoComplete="off"
      {...(isLong && { rows: 2, autosize: true })}
    />
  )
}
