/** Ending an account: at once said, in 14 days done, and taken back until then. */
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { DetailedError, ERRORS, fail, failWith } from '../../../errors.ts'
import type { AccountCaller } from '../../../http/callers/caller.ts'
import { refuseOldSession } from '../../../http/callers/recent-session.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { leaveWorkspace } from './members/members.ts'
import type { Passwords } from './sign-in/passwords.ts'
import * as queries from './queries-accounts.ts'
import { listAdministered, listMembershipIds } from './members/queries-members.ts'
import { deleteOldDeviceSignIns } from './device/queries-device.ts'
import { deleteExpiredLinks, deleteOtherSessions } from './sign-in/queries-sessions.ts'
import { passwordChangeCounters, spendTry } from './sign-in/tries.ts'

const DAYS_UNTIL_END = 14
const ENDED_AT_ONCE = 50

/**
 * Its other sessions end. It can sign in, and restore itself, until it ends. Who has a password gives it; who has none, because a
 * provider opens the account, has signed in within the last ten minutes.
 */
export async function deleteMe(
  ctx: Context,
  passwords: Passwords,
  caller: AccountCaller,
  password: string | undefined,
): Promise<{ endsAt: Date }> {
  const { accountId } = caller
  const account = (await queries.findAccount(ctx.db, accountId)) ?? failWith(404, 'account not found')
  if (account.password_set) await provePassword(ctx, passwords, account, password)
  else refuseOldSession(ctx, caller)
  const endsAt = new Date(ctx.clock.ms() + DAYS_UNTIL_END * DAY_MS)
  await inTransaction(ctx.db, async (tx) => {
    const now = await queries.lockAccount(tx, accountId)
    // It got one meanwhile, or another one.
    if (now?.password_hash !== account.password_hash) fail('PASSWORD_CHANGED')
    refuseLastAdmin(await listAdministered(tx, accountId))
    await queries.setEnd(tx, accountId, endsAt)
    await deleteOtherSessions(tx, accountId, caller.tokenHash)
  })
  return { endsAt }
}

async function provePassword(ctx: Context, passwords: Passwords, account: queries.AccountRow, password: string | undefined): Promise<void> {
  if (password === undefined) failWith(400, "body must have required property 'password'")
  await spendTry(ctx, passwordChangeCounters(account.id), 'LOGIN_RATE_LIMITED')
  if (!(await passwords.isRight(account.id, password, account.password_hash))) fail('PASSWORD_WRONG')
}

type Administered = Awaited<ReturnType<typeof listAdministered>>

/** Refuses to delete an account that is the last admin of a workspace. */
function refuseLastAdmin(administered: Administered): void {
  const alone = administered.filter(({ others }) => others === 0).map(({ id, name }) => ({ id, name }))
  if (alone.length === 0) return
  const [status, text] = ERRORS.LAST_ADMIN
  const names = alone.map(({ name }) => `“${name}”`).join(', ')
  throw new DetailedError(status, `${text}: make somebody else admin of ${names} first`, { code: 'LAST_ADMIN', workspaces: alone })
}

export async function restoreMe(ctx: Context, accountId: string): Promise<void> {
  await queries.setEnd(ctx.db, accountId, null)
}

/** Ends the accounts whose time has come, and forgets links and sign-ins of programs that are over. One that became the last admin of a workspace meanwhile stays until it is not. */
export async function endAccounts(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  await deleteExpiredLinks(ctx.db, now)
  await deleteOldDeviceSignIns(ctx.db, now)
  for (const accountId of await queries.listEnded(ctx.db, now, ENDED_AT_ONCE))
    await inTransaction(ctx.db, (tx) => endAccount(ctx, tx, accountId))
}

async function endAccount(ctx: Context, tx: Db, accountId: string): Promise<void> {
  const account = await queries.lockAccount(tx, accountId)
  const isRestored = !account?.ends_at || account.ends_at > ctx.clock.now()
  if (isRestored) return
  const memberships = await listMembershipIds(tx, accountId)
  if ((await listAdministered(tx, accountId)).some(({ others }) => others === 0))
    return ctx.log.warn({ id: accountId }, 'an account that was to end is the last admin of a workspace, and stays until it is not')
  for (const workspaceId of memberships) await leaveWorkspace(ctx, tx, workspaceId, accountId)
  await queries.deleteAccount(tx, accountId)
}
