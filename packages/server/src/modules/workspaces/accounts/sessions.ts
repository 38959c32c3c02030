import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { ApiError } from '../../../errors.ts'
import { hashSecret, randomToken } from '../../../infra/crypto.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import type { Passwords, Visitor } from './passwords.ts'
import * as accounts from './queries-accounts.ts'
import { listMemberships } from './queries-members.ts'

export type Session = { token: string; expiresAt: Date }

/** G-05. A wrong pair is 401 with the same text and cost for a known and an unknown email. */
export async function logIn(ctx: Context, passwords: Passwords, visitor: Visitor, email: string, password: string) {
  const folded = foldEmail(email)
  const account = await accounts.findAccountByEmail(ctx.db, folded)
  const isRight = await passwords.guess(visitor, folded, account, password)
  if (!account || !isRight) {
    ctx.metrics.authFailures.labels('login').inc()
    throw new ApiError(401, 'Email or password is wrong')
  }
  if (visitor.device !== undefined) await accounts.rememberDevice(ctx.db, account.id, hashSecret(visitor.device))
  const session = await openSession(ctx, ctx.db, account.id)
  const workspaces = await listMemberships(ctx.db, account.id)
  return { ...session, user: { userId: account.id, email: account.email, name: account.name }, workspaces }
}

export async function openSession(ctx: Context, db: Db, accountId: string): Promise<Session> {
  const token = randomToken()
  const expiresAt = new Date(ctx.clock.ms() + LIMITS.sessionHours * 3_600_000)
  await accounts.deleteExpiredSessions(db, ctx.clock.now())
  await accounts.insertSession(db, hashSecret(token), accountId, ctx.clock.now(), expiresAt)
  return { token, expiresAt }
}

export async function logOut(ctx: Context, tokenHash: string): Promise<void> {
  await accounts.deleteSession(ctx.db, tokenHash)
}

/** Ends every session of an account, in browsers that are known no longer. */
export async function logOutEverywhere(ctx: Context, accountId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await accounts.deleteSessionsOf(tx, accountId)
    await accounts.forgetDevices(tx, accountId)
  })
}
