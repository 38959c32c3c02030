/** How a workspace counts its days (G-83). */
export type WorkspaceCalendar = {
  /** A name of the zone database, as `Asia/Riyadh`. */
  timeZone: string
  /** 0 is Sunday. */
  firstDayOfWeek: number
  /** Days as numbers, in order. */
  weekend: number[]
  /** Whether dates of the Hijri calendar (Umm al-Qura) stand beside the Gregorian ones. */
  hijri: boolean
}

/** What holds until a workspace says otherwise: UTC, and weeks of ISO 8601. */
export const DEFAULT_CALENDAR: WorkspaceCalendar = { timeZone: 'UTC', firstDayOfWeek: 1, weekend: [0, 6], hijri: false }

/** A name of the zone database. The runtime would also take offsets, which know no summer time. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z][\w+/-]{0,63}$/.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
