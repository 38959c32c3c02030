/** What the rest of the server may ask of the regional calendar. */
export { heldUntil } from './held-until.ts'
export { prayersAround } from './prayer-times.ts'
export { hijriDate, isHijriEvent, type HijriEvent } from './hijri.ts'
export { findTimeZone, zoneOfDays } from './queries-zone.ts'
