import { MINUTE_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { AccountCaller } from './caller.ts'

const RECENT_MS = 10 * MINUTE_MS

/** Whether the person signed in within the last ten minutes. Never true of a service account. */
export function isRecentSession({ clock }: Pick<Context, 'clock'>, { session }: Pick<AccountCaller, 'session'>): boolean {
  return clock.ms() - session.openedAt.getTime() <= RECENT_MS
}

/** For what neither a stolen session nor whoever finds an open browser must do: 403 `REAUTHENTICATE`. */
export function refuseOldSession(ctx: Pick<Context, 'clock'>, caller: Pick<AccountCaller, 'session'>): void {
  if (!isRecentSession(ctx, caller)) fail('REAUTHENTICATE')
}
