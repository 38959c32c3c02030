import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { AccountCaller } from '../../http/caller.ts'
import { hashPassword, hashSecret, isPasswordRight } from '../../infra/crypto.ts'
import * as queries from './queries.ts'

/** Changes of the password one person may try, whether they succeed or not: a stolen session must not be a way to guess it. */
const ATTEMPTS = 10
const WINDOW_SECONDS = 300

/** The person's other sessions end; this one goes on. */
export async function changePassword(ctx: Context, { accountId, tokenHash }: AccountCaller, current: string, next: string): Promise<void> {
  const now = ctx.clock.ms()
  const { granted, endsAt } = await ctx.kv.take(`password:${hashSecret(accountId)}`, 1, ATTEMPTS, WINDOW_SECONDS, now)
  if (granted === 0)
    fail('LOGIN_RATE_LIMITED', {
      message: 'Too many attempts; wait a few minutes',
      retryAfter: Math.max(1, Math.ceil((endsAt - now) / 1000)),
    })
  const account = (await queries.findAccount(ctx.db, accountId)) ?? failWith(404, 'account not found')
  if (!(await isPasswordRight(current, account.password_hash))) failWith(400, 'The current password is wrong')
  const hash = await hashPassword(next)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await queries.replacePassword(tx, accountId, account.password_hash, hash))) failWith(409, 'The password was changed meanwhile')
    await queries.deleteOtherSessions(tx, accountId, tokenHash)
  })
}
