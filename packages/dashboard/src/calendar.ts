/** How the workspace that is open counts its days (G-83), and what this browser would say. */
import type { WorkspaceCalendar } from '@contentflow/core/calendar.ts'
import { use } from 'react'
import { SessionContext } from './session.tsx'

/** Of whoever looks at the dashboard. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the workspace says, or, while nobody has said and outside workspaces, what this browser would. */
export function useCalendar(): WorkspaceCalendar {
  return use(SessionContext)?.workspace.calendar ?? OWN
}

let region: WorkspaceCalendar | undefined

/**
 * Dates of an unset workspace are Gregorian only: nobody has asked for others. What its region says is looked up by the
 * first page that draws a week: that takes a fifth of a second, and every page asks for the time zone.
 */
const OWN: WorkspaceCalendar = {
  timeZone: ZONE,
  hijri: false,
  get firstDayOfWeek() {
    return (region ??= browserCalendar()).firstDayOfWeek
  },
  get weekend() {
    return (region ??= browserCalendar()).weekend
  },
}

/** Of newer runtimes; 1 is Monday, 7 Sunday. */
type Locale = Intl.Locale & {
  getWeekInfo?: () => { firstDay: number; weekend: number[] }
  getTimeZones?: () => string[] | undefined
  getCalendars?: () => string[]
}

/** A calendar as people keep it where this browser is. */
export function browserCalendar(zone = ZONE, language: string = navigator.language): WorkspaceCalendar {
  const locale: Locale = new Intl.Locale(regionOf(zone) ?? language)
  const { firstDay, weekend } = locale.getWeekInfo?.() ?? { firstDay: 1, weekend: [6, 7] }
  return {
    timeZone: zone,
    firstDayOfWeek: firstDay % 7,
    weekend: weekend.map((day) => day % 7).toSorted((a, b) => a - b),
    hijri: locale.getCalendars?.().at(0)?.startsWith('islamic') ?? false,
  }
}

/** The region a zone belongs to, as `und-SA`: browsers know the zones of a region, not the other way round. */
function regionOf(zone: string): string | undefined {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  return letters
    .flatMap((first) => letters.map((second) => `und-${first}${second}`))
    .find((tag) => (new Intl.Locale(tag) as Locale).getTimeZones?.()?.includes(zone))
}
