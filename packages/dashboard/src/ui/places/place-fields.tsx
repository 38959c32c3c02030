import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PrayerLocation } from '@contentflow/core/calendar/prayers.ts'
import { defineTexts } from '../../i18n.ts'
import { NumberField } from '../fields/number-field.tsx'
import { usePlaces } from './places.ts'

const useTexts = defineTexts('place-fields', {
  en: { place: 'Place', otherPlace: 'Other place', latitude: 'Latitude', longitude: 'Longitude' },
  ar: { place: 'المكان', otherPlace: 'مكان آخر', latitude: 'خط العرض', longitude: 'خط الطول' },
})

const OTHER = 'other'

type PlaceProps = { place: PrayerLocation; onChange: (place: PrayerLocation) => void; error?: ReactNode }

/** A town, or the degrees of another place; these are not numbers until they are typed. */
export function PlaceFields({ place, onChange, error }: PlaceProps) {
  const t = useTexts()
  const places = usePlaces()
  const town = places.find(({ latitude, longitude }) => latitude === place.latitude && longitude === place.longitude)
  const degrees = (name: 'latitude' | 'longitude', most: number) => ({
    label: t(name),
    value: place[name],
    onChange: (typed: number | undefined) =>
      onChange({ latitude: place.latitude, longitude: place.longitude, [name]: typed ?? Number.NaN }),
    min: -most,
    max: most,
    isNeeded: true,
    w: 140,
  })
  return (
    <>
      <Select
        label={t('place')}
        data={[...places.map(({ id, name }) => ({ value: id, label: name })), { value: OTHER, label: t('otherPlace') }]}
        value={town?.id ?? OTHER}
        onChange={(id) => {
          const { latitude, longitude } = places.find((each) => each.id === id) ?? { latitude: Number.NaN, longitude: Number.NaN }
          onChange({ latitude, longitude })
        }}
        allowDeselect={false}
        searchable
        w={200}
        error={error}
      />
      {!town && (
        <>
          <NumberField {...degrees('latitude', 90)} />
          <NumberField {...degrees('longitude', 180)} />
        </>
      )}
    </>
  )
}
