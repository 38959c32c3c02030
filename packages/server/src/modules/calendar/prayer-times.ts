import { CalculationMethod, Coordinates, PrayerTimes, Rounding } from 'adhan'
import { DAYS_AROUND } from '@contentflow/core/calendar/holds.ts'
import { PRAYERS, type PrayerLocation, type Prayer } from '@contentflow/core/calendar/prayers.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import { RAMADAN, hijriDate } from './hijri.ts'

/** Minutes; adhan knows those of the other months. */
const ISHA_AFTER_MAGHRIB_IN_RAMADAN = 120

/**
 * The five prayers of a day (`2026-11-23`) by Umm al-Qura, in milliseconds and in their order; none where the sun does not
 * rise or set that day. Rounded up, they are at most a minute from what the Umm al-Qura calendar prints, either way.
 */
export function prayerTimes(day: string, place: PrayerLocation): number[] {
  return [...timesOf(day, place).values()]
}

/** When these prayers are on the days around a moment, in milliseconds. */
export function prayersAround(at: number, place: PrayerLocation, prayers: readonly Prayer[] = PRAYERS): number[] {
  return DAYS_AROUND.flatMap((days) => {
    const times = timesOf(new Date(at + days * DAY_MS).toISOString().slice(0, 10), place)
    return prayers.flatMap((prayer) => times.get(prayer) ?? [])
  })
}

function timesOf(day: string, { latitude, longitude }: PrayerLocation): Map<Prayer, number> {
  const parameters = CalculationMethod.UmmAlQura()
  parameters.rounding = Rounding.Up
  if (hijriDate(new Date(`${day}T12:00:00Z`), 'UTC').month === RAMADAN) parameters.ishaInterval = ISHA_AFTER_MAGHRIB_IN_RAMADAN
  // adhan reads the day by the clock of the process.
  const times = new PrayerTimes(new Coordinates(latitude, longitude), new Date(`${day}T12:00:00`), parameters)
  const hasDay = [times.sunrise, times.sunset].every((at) => !Number.isNaN(at.getTime()))
  if (!hasDay) return new Map()
  return new Map(PRAYERS.map((prayer) => [prayer, times[prayer].getTime()] as const).filter(([, at]) => !Number.isNaN(at)))
}
