import { SegmentedControl } from '@mantine/core'

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
