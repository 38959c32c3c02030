import { Select, TextInput } from '@mantine/core'
import type { Key } from '../api.ts'
import { endAt } from './key-use.ts'
import { useKeysTexts } from './texts-keys.ts'

/** `overlapHours`: how long the old text goes on. `endsOn`: another end, a day; empty: as it was. */
export type Rotation = { overlapHours: (typeof OVERLAPS)[number]; endsOn: string }

const OVERLAPS = ['0', '1', '24', '168'] as const
export const AT_ONCE: Rotation = { overlapHours: '0', endsOn: '' }

export function rotationBody({ overlapHours, endsOn }: Rotation): { overlapHours?: number; expiresAt?: string } {
  return { ...(overlapHours !== '0' && { overlapHours: Number(overlapHours) }), ...(endsOn !== '' && { expiresAt: endAt(endsOn) }) }
}

type RotationFieldsProps = { of: Key; value: Rotation; onChange: (rotation: Rotation) => void }

/** How a key is replaced. Another end is asked for where the key has one. */
export function RotationFields({ of, value, onChange }: RotationFieldsProps) {
  const t = useKeysTexts()
  return (
    <>
      <Select
        label={t('overlap')}
        data={OVERLAPS.map((hours) => ({ value: hours, label: t(`overlap_${hours}`) }))}
        value={value.overlapHours}
        onChange={(hours) => onChange({ ...value, overlapHours: OVERLAPS.find((each) => each === hours) ?? '0' })}
        allowDeselect={false}
      />
      {of.expiresAt && (
        <TextInput
          type="date"
          label={t('newEnd')}
          description={t('newEndText')}
          maw={220}
          value={value.endsOn}
          onChange={({ currentTarget }) => onChange({ ...value, endsOn: currentTarget.value })}
        />
      )}
    </>
  )
}
