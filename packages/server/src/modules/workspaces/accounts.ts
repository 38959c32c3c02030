import { randomBytes } from 'node:crypto'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { ApiError, fail, failWith } from '../../errors.ts'
import { hashPassword, hashSecret, isPasswordRight, randomId, uuidv7 } from '../../infra/crypto.ts'
import { openHeads } from '../content/index.ts'
import { openCatalog } from '../strings/index.ts'
import * as queries from './queries.ts'

export type Session = { token: string; expiresAt: Date }
type NewAccount = { email: string; password: string; name: string }

/** Opens an account with a workspace of its own, where it is admin (G-02). */
export async function signUp(ctx: Context, input: NewAccount & { workspaceName: string; sourceLocale: string | null }) {
  if (ctx.config.signup === 'off') failWith(403, 'Signing up is switched off in this installation')
  const passwordHash = await hashPassword(input.password)
  return ctx.db.transaction().execute(async (tx) => {
    await queries.lockSignUp(tx)
    if (ctx.config.signup === 'first' && (await queries.hasAccounts(tx)))
      failWith(403, 'This installation has its first account; ask an admin to add you as a member')
    const account = await openAccount(ctx, tx, input, passwordHash)
    const workspace = await insertWorkspaceFor(ctx, tx, account.userId, input.workspaceName, input.sourceLocale)
    return { ...(await openSession(ctx, tx, account.userId)), user: account, workspace }
  })
}

/** A further workspace of a signed-in person. */
export async function createWorkspace(ctx: Context, accountId: string, name: string, sourceLocale: string | null) {
  return ctx.db.transaction().execute((tx) => insertWorkspaceFor(ctx, tx, accountId, name, sourceLocale))
}

async function insertWorkspaceFor(ctx: Context, tx: Db, accountId: string, name: string, sourceLocale: string | null) {
  const workspace = await insertEmptyWorkspace(ctx, tx, { name, sourceLocale, isSandbox: false })
  await queries.insertMember(tx, workspace.id, accountId, 'admin', true, ctx.clock.now())
  return workspace
}

export async function insertEmptyWorkspace(
  ctx: Context,
  tx: Db,
  input: Omit<queries.NewWorkspace, 'id'>,
): Promise<{ id: string; name: string }> {
  const id = randomId(12)
  await queries.insertWorkspace(tx, { id, ...input }, ctx.clock.now())
  await openHeads(tx, id, ctx.clock.now())
  await openCatalog(tx, id, input.sourceLocale, ctx.clock.now())
  return { id, name: input.name }
}

export async function openAccount(
  ctx: Context,
  tx: Db,
  { email, name }: Omit<NewAccount, 'password'>,
  passwordHash: string,
): Promise<queries.Account> {
  const userId = uuidv7(ctx.clock.ms())
  await queries.insertAccount(tx, { id: userId, email, name, password_hash: passwordHash, created_at: ctx.clock.now() })
  return { userId, email, name }
}

/** What an unknown email is checked against, so that the answer takes as long as a wrong password. */
const nobodysPassword = hashPassword(randomBytes(16).toString('hex'))

const FAILURES_ALLOWED = 10
const FAILURE_WINDOW_SECONDS = 300

/** G-05. A wrong pair is 401 with the same text and cost for a known and an unknown email. */
export async function logIn(ctx: Context, email: string, password: string) {
  const counter = `login:${hashSecret(email.toLowerCase())}`
  const earlier = attempts.get(counter)
  const attempt = (async () => {
    await earlier?.catch(() => {})
    return tryLogIn(ctx, counter, email, password)
  })()
  attempts.set(counter, attempt)
  try {
    return await attempt
  } finally {
    if (attempts.get(counter) === attempt) attempts.delete(counter)
  }
}

/** The latest attempt for each email: they go one after another, or a crowd of guesses would be let in before the first is counted. */
const attempts = new Map<string, Promise<unknown>>()

async function tryLogIn(ctx: Context, counter: string, email: string, password: string) {
  const failures = await ctx.kv.take(counter, 0, FAILURES_ALLOWED, FAILURE_WINDOW_SECONDS, ctx.clock.ms())
  if (failures.used >= FAILURES_ALLOWED)
    fail('LOGIN_RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil((failures.endsAt - ctx.clock.ms()) / 1000)) })
  const account = await queries.findAccountByEmail(ctx.db, email)
  const isRight = await isPasswordRight(password, account?.password_hash ?? (await nobodysPassword))
  if (!account || !isRight) {
    await ctx.kv.take(counter, 1, FAILURES_ALLOWED, FAILURE_WINDOW_SECONDS, ctx.clock.ms())
    ctx.metrics.authFailures.labels('login').inc()
    throw new ApiError(401, 'Email or password is wrong')
  }
  const session = await openSession(ctx, ctx.db, account.id)
  const workspaces = await queries.listMemberships(ctx.db, account.id)
  return { ...session, user: { userId: account.id, email: account.email, name: account.name }, workspaces }
}

async function openSession(ctx: Context, db: Db, accountId: string): Promise<Session> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.clock.ms() + LIMITS.sessionHours * 3_600_000)
  await queries.deleteExpiredSessions(db, ctx.clock.now())
  await queries.insertSession(db, hashSecret(token), accountId, ctx.clock.now(), expiresAt)
  return { token, expiresAt }
}

export async function logOut(ctx: Context, tokenHash: string): Promise<void> {
  await queries.deleteSession(ctx.db, tokenHash)
}

/** Ends every session of a person. */
export async function logOutEverywhere(ctx: Context, accountId: string): Promise<void> {
  await queries.deleteSessionsOf(ctx.db, accountId)
}

/** Whether the first account may still be opened: what the sign-in page offers instead of signing in. */
export async function mayOpenFirstAccount(ctx: Context): Promise<boolean> {
  return ctx.config.signup !== 'off' && !(await queries.hasAccounts(ctx.db))
}
