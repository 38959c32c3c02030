/** In which zone the days of a workspace are whole (G-90). */
import { DEFAULT_CALENDAR, type WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { isDayAlone } from '@contentflow/core/time.ts'
import type { Db } from '../../db/open.ts'

export async function findTimeZone(db: Db, workspaceId: string): Promise<string> {
  const row = await db.selectFrom('workspaces').select('calendar').where('id', '=', workspaceId).executeTakeFirst()
  return ((row?.calendar as WorkspaceCalendar | null | undefined) ?? DEFAULT_CALENDAR).timeZone
}

/** For whoever reads these texts. Where none of them is a day without a time, nobody looks. */
export async function zoneOfDays(db: Db, workspaceId: string, ...texts: unknown[]): Promise<string> {
  return texts.some(isDayAlone) ? findTimeZone(db, workspaceId) : DEFAULT_CALENDAR.timeZone
}
