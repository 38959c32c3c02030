/** Ending a workspace: at once it rests, in 14 days it is deleted, and it can be restored until then. */
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { refuseOldSession } from '../../http/callers/recent-session.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import { lockSettings, saveSettings } from '../workspaces/index.ts'
import * as queries from './queries-endings.ts'

export const ENDINGS = 'endings'
const DAYS_UNTIL_END = 14
/** How young a session must be. */

/** Its keys open nothing from now on, and nothing is sent. Its sandbox ends with it. Asked again, it says the same day. */
export async function endWorkspace(ctx: Context, caller: MemberCaller, name: string): Promise<{ endsAt: Date }> {
  refuseOldSession(ctx, caller)
  return ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    const settings = await lockSettings(tx, workspaceId)
    if (settings.ends_at) return { endsAt: settings.ends_at }
    if (name.trim() !== settings.name.trim()) failWith(400, 'name must be the name of the workspace, as it is written')
    if (await queries.findParent(tx, workspaceId)) failWith(409, 'This is the sandbox of another workspace: unlink it there first')
    const endsAt = new Date(now.getTime() + DAYS_UNTIL_END * DAY_MS)
    const { sandbox_id: sandboxId } = settings
    await queries.insertEnding(tx, { workspaceId, name: settings.name, sandboxId, askedBy: caller.accountId, askedAt: now, endsAt })
    await setEnd(change, endsAt, sandboxId)
    return { endsAt }
  })
}

/** What became due while it rested goes on at once. */
export async function restoreWorkspace(ctx: Context, caller: MemberCaller): Promise<void> {
  await ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId } = change
    const { ends_at, sandbox_id } = await lockSettings(tx, workspaceId)
    if (!ends_at) return
    const ending = await queries.lockEnding(tx, workspaceId)
    if (ending?.began_at) failWith(409, 'This workspace is being deleted')
    await queries.deleteEnding(tx, workspaceId)
    await setEnd(change, null, ending?.sandbox_id ?? sandbox_id)
    for (const kind of ctx.due.restingKinds()) change.nudge(kind)
  })
}

type Change = Parameters<typeof saveSettings>[0]

/** Processes look at the keys of its sandbox again too. */
async function setEnd(change: Change, endsAt: Date | null, sandboxId: string | null): Promise<void> {
  await saveSettings(change, { ends_at: endsAt })
  if (sandboxId) await saveSettings({ ...change, workspaceId: sandboxId }, {})
}
