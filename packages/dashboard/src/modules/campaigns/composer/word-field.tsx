import { Textarea, TextInput } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { neededTokensIn } from '@contentflow/core/messages/tokens.ts'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { useComposer } from './composer-context.tsx'
import { useTexts } from './texts.ts'
import { TokenMenu } from './token-menu.tsx'

type WordFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Shown while the field is empty. */
  placeholder?: string | undefined
  description?: ReactNode
  error?: string | undefined
  isLong?: boolean
  /** Read from the left in every language. */
  isAddress?: boolean
}

// The button at the end of a field is at the end of what is written.
const fromLeft = (input: ReactNode) => <div dir="ltr">{input}</div>
const fromRight = (input: ReactNode) => <div dir="rtl">{input}</div>

/** Words of a message, written in the direction of their language, with placeholders put where the cursor stands. */
export function WordField({ label, value, onChange, placeholder, description, error, isLong, isAddress }: WordFieldProps) {
  const t = useTexts()
  const { locale, tokens } = useComposer()
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
  const unknown = neededTokensIn([value]).find((token) => !tokens.some((each) => each.token === token))
  const Field = isLong ? Textarea : TextInput
  return (
    <Field
      ref={field}
      label={label}
      value={value}
      onChange={({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value)}
      placeholder={placeholder}
      description={unknown === undefined ? description : t('unknownToken', { token: `{{${unknown}}}` })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={error}
      inputContainer={isAddress || !isRightToLeft(locale) ? fromLeft : fromRight}
      lang={locale}
      rightSection={<TokenMenu label={label} onPick={insert} />}
      rightSectionPointerEvents="all"
      spellCheck={!isAddress}
      autoComplete="off"
      {...(isLong && { rows: 4, resize: 'vertical' })}
    />
  )
}
