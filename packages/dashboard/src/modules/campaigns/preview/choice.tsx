import { SegmentedControl } from '@mantine/core'
import { useTexts } from './texts.ts'

type ChoiceProps<T extends string> = {
  label: string
  values: readonly T[]
  nameOf: (value: T) => string
  value: T
  onChange: (value: T) => void
}

/** How something is looked at. */
export function Choice<T extends string>({ label, values, nameOf, value, onChange }: ChoiceProps<T>) {
  return (
    <SegmentedControl
      aria-label={label}
      size="xs"
      data={values.map((each) => ({ value: each, label: nameOf(each) }))}
      value={value}
      onChange={(next) => onChange(values.find((each) => each === next) ?? value)}
    />
  )
}

const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function ThemeChoice({ value, onChange }: { value: Theme; onChange: (theme: Theme) => void }) {
  const t = useTexts()
  return <Choice label={t('theme')} values={THEMES} nameOf={(theme) => t(theme)} value={value} onChange={onChange} />
}
