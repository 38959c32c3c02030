/** How the workspace that is open counts its days (G-83), and what this browser would say. */
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { use } from 'react'
import { SessionContext } from './session.tsx'

/** The time zone of the browser. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The calendar of the workspace or, where none is set and outside workspaces, that of the browser. */
export function useCalendar(): WorkspaceCalendar {
  return use(SessionContext)?.workspace.calendar ?? OWN
}

let region: WorkspaceCalendar | undefined

/** Countries where the Hijri calendar of Umm al-Qura is in daily use (CLDR, calendarPreferenceData). */
const UMM_AL_QURA = ['SA', 'AE', 'BH', 'KW', 'QA']

/**
 * The weeks of the browser's region are looked up by the first page that draws one: that takes a fifth of a second, while every
 * page asks for the time zone.
 */
const OWN: WorkspaceCalendar = {
  timeZone: ZONE,
  hijri: keepsHijri(ZONE, navigator.language),
  get firstDayOfWeek() {
    return (region ??= browserCalendar()).firstDayOfWeek
  },
  get weekend() {
    return (region ??= browserCalendar()).weekend
  },
}

/** Members that only newer runtimes have; 1 is Monday, 7 Sunday. */
type Locale = Intl.Locale & {
  getWeekInfo?: () => { firstDay: number; weekend: number[] }
  getTimeZones?: () => string[] | undefined
}

/** A calendar as people keep it where this browser is. */
export function browserCalendar(zone = ZONE, language: string = navigator.language): WorkspaceCalendar {
  const locale: Locale = new Intl.Locale(regionOf(zone) ?? language)
  const { firstDay, weekend } = locale.getWeekInfo?.() ?? { firstDay: 1, weekend: [6, 7] }
  return {
    timeZone: zone,
    firstDayOfWeek: firstDay % 7,
    weekend: weekend.map((day) => day % 7).toSorted((a, b) => a - b),
    hijri: keepsHijri(zone, language),
  }
}

function keepsHijri(zone: string, language: string): boolean {
  const region = new Intl.Locale(language).region ?? ''
  return UMM_AL_QURA.some((each) => each === region || (new Intl.Locale(`und-${each}`) as Locale).getTimeZones?.()?.includes(zone))
}

/** The region a zone belongs to, as `und-SA`: browsers know the zones of a region, not the other way round. */
function regionOf(zone: string): string | undefined {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  return letters
    .flatMap((first) => letters.map((second) => `und-${first}${second}`))
    .find((tag) => (new Intl.Locale(tag) as Locale).getTimeZones?.()?.includes(zone))
}
