import { Group, SegmentedControl, Select, Stack } from '@mantine/core'
import { PRAYERS } from '@contentflow/core/calendar/prayers.ts'
import type { PrayerStep, UntilStep } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useCalendar } from '../../../calendar.ts'
import { PlaceFields } from '../../../ui/places/place-fields.tsx'
import { FIRST_PLACE } from '../../../ui/places/places.ts'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { HourField } from './hour-field.tsx'

type HourStep = Exclude<UntilStep, PrayerStep>
type FieldsProps<S extends UntilStep> = { step: S; onChange: (step: UntilStep, mark?: string) => void }

/** A wait until an hour, or until after a prayer. */
export function UntilFields({ step, onChange }: FieldsProps<UntilStep>) {
  const t = useTexts()
  const { timeZone } = useCalendar()
  const { id, type } = step
  const begin = {
    hour: () => ({ id, type, hour: LIMITS.journeyHour.default, zone: timeZone }),
    prayer: () => ({ id, type, afterPrayer: 'isha' as const, minutesAfter: 20, ...FIRST_PLACE }),
  }
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('until')}
        data={(['hour', 'prayer'] as const).map((value) => ({ value, label: t(`until_${value}`) }))}
        value={'hour' in step ? 'hour' : 'prayer'}
        onChange={(value) => onChange(begin[value]())}
      />
      {'hour' in step ? <HourFields step={step} onChange={onChange} /> : <PrayerFields step={step} onChange={onChange} />}
    </Stack>
  )
}

function HourFields({ step, onChange }: FieldsProps<HourStep>) {
  const t = useTexts()
  const { timeZone } = useCalendar()
  const zones = [...new Set([timeZone, step.zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <>
      <HourField value={step.hour} onChange={(hour) => onChange({ ...step, hour })} />
      <Select
        label={t('zone')}
        data={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        value={step.zone}
        onChange={(zone) => zone !== null && onChange({ ...step, zone })}
        searchable
        allowDeselect={false}
        limit={50}
        nothingFoundMessage={t('zoneNotFound')}
      />
    </>
  )
}

function PrayerFields({ step, onChange }: FieldsProps<PrayerStep>) {
  const t = useTexts()
  return (
    <>
      <Select
        label={t('prayer')}
        description={t('prayerHelp')}
        data={PRAYERS.map((value) => ({ value, label: t(`prayer_${value}`) }))}
        value={step.afterPrayer}
        onChange={(value) => onChange({ ...step, afterPrayer: PRAYERS.find((each) => each === value) ?? step.afterPrayer })}
        allowDeselect={false}
      />
      <NumberField
        label={t('minutesAfter')}
        value={step.minutesAfter}
        onChange={(value) => onChange({ ...step, minutesAfter: value ?? Number.NaN }, 'minutes after')}
        min={LIMITS.journeyMinutesAfterPrayer.min}
        max={LIMITS.journeyMinutesAfterPrayer.max}
        isWhole
        isNeeded
      />
      <Group align="flex-start" gap="sm">
        <PlaceFields place={step} onChange={(place) => onChange({ ...step, ...place }, 'place')} />
      </Group>
    </>
  )
}
