import { Group, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { minutesOf, splitDuration, type Unit } from '../steps/step-words.ts'
import { useTexts } from '../texts.ts'

const UNITS = ['minutes', 'hours', 'days'] as const

type Props = { label: string; minutes: number; onChange: (minutes: number) => void }

/** So many minutes, hours or days. */
export function DurationFields({ label, minutes, onChange }: Props) {
  const t = useTexts()
  const [unit, setUnit] = useState<Unit>(() => splitDuration(minutes).unit)
  // After an undo it may not be a whole number of them any more.
  const shown = minutes % minutesOf(unit, 1) === 0 ? unit : splitDuration(minutes).unit
  const count = minutes / minutesOf(shown, 1)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        label={label}
        value={count}
        onChange={(value) => onChange(minutesOf(shown, Number(value)))}
        min={1}
        allowDecimal={false}
        clampBehavior="none"
        flex={1}
      />
      <Select
        label={t('unit')}
        data={UNITS.map((value) => ({ value, label: t(`unit_${value}`) }))}
        value={shown}
        onChange={(value) => {
          const next = UNITS.find((each) => each === value) ?? shown
          setUnit(next)
          onChange(minutesOf(next, count))
        }}
        allowDeselect={false}
        flex={1}
      />
    </Group>
  )
}
