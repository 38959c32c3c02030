import { Select } from '@mantine/core'
import { useTexts } from '../texts.ts'

type FilterSelectProps = {
  label: string
  /** The meaning of an empty choice; the label by default. */
  placeholder?: string
  data: { value: string; label: string }[]
  /** Empty: everything. */
  value: string
  onChange: (value: string) => void
  width: number
  /** Choices can be searched; what is said when none fits. */
  nothingFound?: string
}

/** One filter over a list: half a row on a phone. */
export function FilterSelect({ label, placeholder = label, data, value, onChange, width, nothingFound }: FilterSelectProps) {
  const t = useTexts()
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      data={data}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': t('anyOf', { name: label }) }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      // It serves as a label here, so it has to be readable.
      styles={{ input: { '--input-placeholder-color': 'var(--mantine-color-dimmed)' } }}
      w={{ base: 'calc(50% - 4px)', xs: width }}
      {...(nothingFound !== undefined && { searchable: true, nothingFoundMessage: nothingFound, limit: 100 })}
    />
  )
}
