import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { minutesOf, splitDuration, type Unit } from '../steps/step-words.ts'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'

const UNITS = ['minutes', 'hours', 'days'] as const

type Props = { label: string; minutes: number; onChange: (minutes: number) => void }

/** A number of minutes, hours or days. */
export function DurationFields({ label, minutes, onChange }: Props) {
  const t = useTexts()
  const [unit, setUnit] = useState<Unit>(() => splitDuration(minutes).unit)
  const [typed, setTyped] = useState(minutes)
  const isKept = Number.isNaN(minutes) || minutes === typed || minutes % minutesOf(unit, 1) === 0
  // After an undo it may no longer be a whole number of them.
  const shown = isKept ? unit : splitDuration(minutes).unit
  const change = (next: number) => {
    setTyped(next)
    onChange(next)
  }
  const count = minutes / minutesOf(shown, 1)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberField
        label={label}
        value={count}
        onChange={(value) => change(minutesOf(shown, value ?? Number.NaN))}
        min={1}
        isWhole={shown === 'minutes'}
        isNeeded
        flex={1}
      />
      <Select
        label={t('unit')}
        data={UNITS.map((value) => ({ value, label: t(`unit_${value}`) }))}
        value={shown}
        onChange={(value) => {
          const next = UNITS.find((each) => each === value) ?? shown
          setUnit(next)
          change(minutesOf(next, count))
        }}
        allowDeselect={false}
        flex={1}
      />
    </Group>
  )
}
