/** Towns whose prayer times are asked for most; every other place is given by its degrees. */
import type { PrayerLocation } from '@contentflow/core/calendar/prayers.ts'
import { useLanguage } from '../../i18n.ts'

const PLACES = [
  { id: 'riyadh', en: 'Riyadh', ar: 'الرياض', latitude: 24.7136, longitude: 46.6753 },
  { id: 'makkah', en: 'Makkah', ar: 'مكة المكرمة', latitude: 21.4225, longitude: 39.8262 },
  { id: 'madinah', en: 'Madinah', ar: 'المدينة المنورة', latitude: 24.4672, longitude: 39.6112 },
  { id: 'jeddah', en: 'Jeddah', ar: 'جدة', latitude: 21.4858, longitude: 39.1925 },
  { id: 'dammam', en: 'Dammam', ar: 'الدمام', latitude: 26.4207, longitude: 50.0888 },
  { id: 'dubai', en: 'Dubai', ar: 'دبي', latitude: 25.2048, longitude: 55.2708 },
  { id: 'doha', en: 'Doha', ar: 'الدوحة', latitude: 25.2854, longitude: 51.531 },
  { id: 'kuwait', en: 'Kuwait City', ar: 'مدينة الكويت', latitude: 29.3759, longitude: 47.9774 },
  { id: 'manama', en: 'Manama', ar: 'المنامة', latitude: 26.2285, longitude: 50.586 },
  { id: 'muscat', en: 'Muscat', ar: 'مسقط', latitude: 23.588, longitude: 58.3829 },
  { id: 'amman', en: 'Amman', ar: 'عمّان', latitude: 31.9539, longitude: 35.9106 },
  { id: 'cairo', en: 'Cairo', ar: 'القاهرة', latitude: 30.0444, longitude: 31.2357 },
] as const

/** The place of a workspace without a stored one. */
export const FIRST_PLACE: PrayerLocation = { latitude: PLACES[0].latitude, longitude: PLACES[0].longitude }

export function usePlaces(): (PrayerLocation & { id: string; name: string })[] {
  const language = useLanguage()
  return PLACES.map(({ id, latitude, longitude, ...names }) => ({ id, latitude, longitude, name: names[language] }))
}

/** The town, or its degrees. */
export function usePlaceName(): (at: PrayerLocation) => string {
  const places = usePlaces()
  return ({ latitude, longitude }) =>
    places.find((place) => place.latitude === latitude && place.longitude === longitude)?.name ?? `\u2066${latitude}, ${longitude}\u2069`
}
