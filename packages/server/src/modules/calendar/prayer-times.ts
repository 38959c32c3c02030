import { CalculationMethod, Coordinates, PrayerTimes, Rounding } from 'adhan'
import { RAMADAN, hijriDate } from './hijri.ts'

export type Place = { latitude: number; longitude: number }

/** Minutes; adhan knows those of the other months. */
const ISHA_AFTER_MAGHRIB_IN_RAMADAN = 120

/**
 * The five prayers of a day (`2026-11-23`) by Umm al-Qura, in milliseconds and in their order; none where the sun does not
 * rise or set that day. Rounded up, they are at most a minute from what the Umm al-Qura calendar prints, either way.
 */
export function prayerTimes(day: string, { latitude, longitude }: Place): number[] {
  const parameters = CalculationMethod.UmmAlQura()
  parameters.rounding = Rounding.Up
  if (hijriDate(new Date(`${day}T12:00:00Z`), 'UTC').month === RAMADAN) parameters.ishaInterval = ISHA_AFTER_MAGHRIB_IN_RAMADAN
  // adhan reads the day by the clock of the process.
  const times = new PrayerTimes(new Coordinates(latitude, longitude), new Date(`${day}T12:00:00`), parameters)
  const { fajr, sunrise, dhuhr, asr, sunset, maghrib, isha } = times
  const hasDay = !Number.isNaN(sunrise.getTime()) && !Number.isNaN(sunset.getTime())
  return hasDay ? [fajr, dhuhr, asr, maghrib, isha].map(Number).filter((at) => !Number.isNaN(at)) : []
}
