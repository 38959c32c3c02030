import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok, Type } from '../../http/schema.ts'
import { findCalendar, setCalendar } from './calendar-setting.ts'
import { Calendar } from './present.ts'

export const CalendarSetting = Type.Object({
  ...Calendar.properties,
  isSet: Type.Boolean({ description: 'false: nobody has said yet, and these are what holds until then' }),
})

/** How a workspace counts its days (G-83). */
export function calendarRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  app.get(
    '/settings/calendar',
    route({
      id: 'getCalendar',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Time zone, weeks and calendar of the workspace',
      description:
        'Answers time zone, first day of the week, weekend and whether Hijri dates are shown. `isSet` is false while these are only what holds until somebody says.',
      out: Ok(CalendarSetting),
    }),
    async (request) => ok(await findCalendar(ctx, memberCaller(request).workspaceId)),
  )
  app.put(
    '/settings/calendar',
    route({
      id: 'setCalendar',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Say in which zone the workspace works, how its weeks go, and whether Hijri dates are shown',
      description:
        'Sets how days without a time are read, in schedules, reports and lists. TIME_ZONE_UNKNOWN names a zone that the database of zones lacks.',
      body: Calendar,
      out: Ok(CalendarSetting),
      refuses: ['TIME_ZONE_UNKNOWN'],
    }),
    async (request) => ok(await setCalendar(ctx, actorOf(request), bodyOf(request))),
  )
}
