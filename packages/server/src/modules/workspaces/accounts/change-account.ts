import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { AccountCaller } from '../../../http/callers/caller.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { refuseEasyPassword } from './sign-in/own-passwords.ts'
import * as queries from './queries-accounts.ts'
import { deleteOtherSessions } from './sign-in/queries-sessions.ts'
import { passwordChangeCounters, spendTry } from './sign-in/tries.ts'

/** The account's other sessions end; this one goes on. */
export async function changePassword(
  ctx: Context,
  passwords: Passwords,
  { accountId, tokenHash }: AccountCaller,
  current: string,
  next: string,
): Promise<void> {
  await spendTry(ctx, passwordChangeCounters(accountId), 'LOGIN_RATE_LIMITED')
  const account = (await queries.findAccount(ctx.db, accountId)) ?? failWith(404, 'account not found')
  if (!(await passwords.isRight(accountId, current, account.password_hash))) fail('PASSWORD_WRONG')
  refuseEasyPassword(next, account.email)
  const hash = await passwords.hash(accountId, next)
  await inTransaction(ctx.db, async (tx) => {
    if (!(await queries.replacePassword(tx, accountId, account.password_hash, hash))) fail('PASSWORD_CHANGED')
    await deleteOtherSessions(tx, accountId, tokenHash)
  })
}
