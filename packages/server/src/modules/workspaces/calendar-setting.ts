import { DEFAULT_CALENDAR, isTimeZone, type WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Actor } from '../../infra/change.ts'
import * as queries from './queries.ts'
import { changeSettings } from './settings.ts'

/** What was sent, with the days of the weekend in order. */
export function readCalendar({ timeZone, firstDayOfWeek, weekend, hijri }: WorkspaceCalendar): WorkspaceCalendar {
  if (!isTimeZone(timeZone)) fail('TIME_ZONE_UNKNOWN')
  return { timeZone, firstDayOfWeek, weekend: weekend.toSorted((a, b) => a - b), hijri }
}

export async function findCalendar(ctx: Context, workspaceId: string): Promise<WorkspaceCalendar & { isSet: boolean }> {
  const { calendar } = await queries.getSettings(ctx.db, workspaceId)
  return { ...((calendar as WorkspaceCalendar | null) ?? DEFAULT_CALENDAR), isSet: calendar !== null }
}

export async function setCalendar(ctx: Context, by: Actor, sent: WorkspaceCalendar): Promise<WorkspaceCalendar & { isSet: boolean }> {
  const calendar = readCalendar(sent)
  await changeSettings(ctx, by, { calendar: JSON.stringify(calendar) })
  return { ...calendar, isSet: true }
}
