import { Text, TextInput, useDirection, type TextInputProps } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useFormat } from '../../format.ts'
import { defineTexts } from '../../i18n.ts'
import { isDecimalComma, readNumber, writeNumber, type NumberBounds, type NumberFault } from './read-number.ts'

const useTexts = defineTexts('number-field', {
  en: {
    notNumber: 'Enter a number, such as 12.5.',
    notWhole: 'Enter a whole number.',
    tooPrecise: 'Enter a number of at most 15 digits.',
    outOfRange: 'Enter a number from {{min}} to {{max}}.',
    tooSmall: 'Enter at least {{min}}.',
    tooLarge: 'Enter at most {{max}}.',
    missing: 'Enter a number.',
  },
  ar: {
    notNumber: 'المطلوب رقم، مثل 12.5.',
    notWhole: 'المطلوب رقم بلا كسور.',
    tooPrecise: 'الحد الأقصى 15 خانة.',
    outOfRange: 'المطلوب رقم من {{min}} إلى {{max}}.',
    tooSmall: 'الحد الأدنى {{min}}.',
    tooLarge: 'الحد الأقصى {{max}}.',
    missing: 'المطلوب رقم.',
  },
})

/** A field that is written from the left keeps to the right, where the page begins. */
const FROM_THE_RIGHT = { input: { textAlign: 'right' } } as const

type NumberFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'min' | 'max' | 'type' | 'inputMode'> &
  NumberBounds & {
    /** NaN: what is typed is no number, or nothing where there has to be one. */
    value: number | undefined
    /** Undefined: the field is empty; NaN: it holds no number. Values out of bounds are passed too, so that nothing is saved silently. */
    onChange: (value: number | undefined) => void
    /** Shown after the number, such as `%`. */
    suffix?: string | undefined
    /** The value of an empty field, which is shown as empty. */
    emptyMeans?: number
    /** Whether it says that a number is missing. */
    isNeeded?: boolean
  }

/**
 * A number, typed or pasted as people do: decimals, signs between thousands, Arabic and Persian digits. What cannot be
 * taken is said, and what was typed stays.
 */
export function NumberField({
  value,
  onChange,
  min,
  max,
  isWhole,
  suffix,
  isNeeded,
  emptyMeans,
  error,
  onBlur,
  onKeyDown,
  styles,
  ...rest
}: NumberFieldProps) {
  const { dir } = useDirection()
  const bounds = { min, max, isWhole }
  const read = (typed: string) => readNumber(typed, bounds, isDecimalComma(navigator.language))
  const [text, setText] = useState(() => (value === emptyMeans ? '' : writeNumber(value)))
  /** The field was left once: only then is it judged, because a half-typed number is wrong for a moment. */
  const [isLeft, setLeft] = useState(false)
  const known = read(text)
  // Changed from outside, as by undoing.
  if (!isSame(known.value ?? emptyMeans, value ?? emptyMeans)) setText(writeNumber(value))
  const say = useFaultText(bounds)
  const fault = known.fault ?? (isNeeded && known.value === undefined ? 'missing' : undefined)
  const change = (typed: string) => {
    setText(typed)
    onChange(read(typed).value)
  }
  const step = (by: 1 | -1) => {
    const from = known.value ?? 0
    if (!Number.isFinite(from)) return
    const next = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, Number((from + by).toPrecision(15))))
    change(writeNumber(next))
  }
  return (
    <TextInput
      {...rest}
      value={text}
      inputMode={keyboardOf(bounds)}
      autoComplete="off"
      dir="ltr"
      error={error || (isLeft && fault !== undefined && say(fault))}
      {...(suffix !== undefined && behind(suffix, dir))}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={(event) => {
        setLeft(true)
        // Shown as it was understood.
        if (known.value !== undefined && Number.isFinite(known.value)) setText(writeNumber(known.value))
        else if (known.value === undefined) setText('')
        onBlur?.(event)
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        onKeyDown?.(event)
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
        if (by === undefined || event.defaultPrevented || rest.readOnly || rest.disabled) return
        event.preventDefault()
        step(by)
      }}
      styles={{ ...(typeof styles === 'object' && styles), ...(dir === 'rtl' && FROM_THE_RIGHT) }}
    />
  )
}

/** Shown after the number: at the left of a page that is read from the right, though the field itself is not. */
function behind(suffix: string, dir: 'ltr' | 'rtl'): Partial<TextInputProps> {
  const section = (
    <Text size="sm" c="dimmed" px="xs" style={{ whiteSpace: 'nowrap' }}>
      {suffix}
    </Text>
  )
  const width = `calc(${suffix.length}ch + 24px)`
  return dir === 'rtl'
    ? { leftSection: section, leftSectionWidth: width, leftSectionPointerEvents: 'none' }
    : { rightSection: section, rightSectionWidth: width, rightSectionPointerEvents: 'none' }
}

function isSame(a: number | undefined, b: number | undefined): boolean {
  return a === b || (isNothing(a) && isNothing(b))
}

/** Values kept as JSON have null where no number could be read. */
function isNothing(value: number | null | undefined): boolean {
  return value === undefined || value === null || Number.isNaN(value)
}

/** Phones show no minus and no point on some of their keyboards for numbers. */
function keyboardOf({ min = -Infinity, isWhole }: NumberBounds): 'text' | 'numeric' | 'decimal' {
  if (min < 0) return 'text'
  return isWhole ? 'numeric' : 'decimal'
}

function useFaultText({ min, max }: NumberBounds): (fault: NumberFault | 'missing') => string {
  const t = useTexts()
  const format = useFormat()
  const shown = (bound: number | undefined) => (bound === undefined ? '' : format.number(bound))
  return (fault) => {
    if (fault !== 'outOfRange') return t(fault)
    const bounds = { min: shown(min), max: shown(max) }
    return t(min === undefined ? 'tooLarge' : max === undefined ? 'tooSmall' : 'outOfRange', bounds)
  }
}
