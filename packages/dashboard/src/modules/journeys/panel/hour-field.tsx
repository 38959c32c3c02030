import { Select } from '@mantine/core'
import { hourWords } from '../steps/step-words.ts'
import { useTexts } from '../texts.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourWords(hour) }))

/** A full hour of the day. */
export function HourField({ value, onChange }: { value: number; onChange: (hour: number) => void }) {
  const t = useTexts()
  return <Select label={t('hour')} data={HOURS} value={String(value)} onChange={(hour) => onChange(Number(hour))} allowDeselect={false} />
}
