import { Input, SegmentedControl } from '@mantine/core'
import { useId } from 'react'

type ChoiceFieldProps<T extends string> = {
  label: string
  values: readonly T[]
  nameOf: (value: T) => string
  value: T
  onChange: (value: T) => void
}

/** One of a few, with its name above. */
export function ChoiceField<T extends string>({ label, values, nameOf, value, onChange }: ChoiceFieldProps<T>) {
  const id = useId()
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }}>
      <SegmentedControl
        aria-labelledby={id}
        size="xs"
        fullWidth
        data={values.map((each) => ({ value: each, label: nameOf(each) }))}
        value={value}
        onChange={(next) => onChange(values.find((each) => each === next) ?? value)}
      />
    </Input.Wrapper>
  )
}
