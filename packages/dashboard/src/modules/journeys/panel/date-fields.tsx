import { Autocomplete } from '@mantine/core'
import type { Trigger } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useOccurringFields } from '../../segments/api.ts'
import { memberOf, prefixOf } from '../../segments/rules/field-catalog.ts'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { HourField } from './hour-field.tsx'

type DateTrigger = Extract<Trigger, { type: 'date' }>

/** A date of people. Known traits are offered; another one can be typed. */
export function DateFields({ trigger, onChange }: { trigger: DateTrigger; onChange: (next: DateTrigger, mark?: string) => void }) {
  const t = useTexts()
  const { fields } = useOccurringFields('customAttributes.')
  const traits = fields.filter(({ field }) => prefixOf(field) === 'customAttributes').map(({ field }) => memberOf(field))
  return (
    <>
      <Autocomplete
        label={t('dateTrait')}
        description={t('dateTraitHelp')}
        data={[...new Set(traits)]}
        value={trigger.trait}
        onChange={(trait) => onChange({ ...trigger, trait: trait.trim() }, 'trait')}
        maxLength={64}
        limit={50}
        dir="ltr"
      />
      <NumberField
        label={t('daysBefore')}
        value={trigger.daysBefore}
        onChange={(value) => onChange({ ...trigger, daysBefore: value ?? Number.NaN }, 'days before')}
        min={LIMITS.journeyDaysBefore.min}
        max={LIMITS.journeyDaysBefore.max}
        isWhole
        isNeeded
      />
      <HourField value={trigger.hour} onChange={(hour) => onChange({ ...trigger, hour })} />
    </>
  )
}
