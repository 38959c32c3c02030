import { mendEmail } from '@contentflow/core/identity/contact.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { ApiError, fail } from '../../../../errors.ts'
import { hashSecret, randomToken, uuidv7 } from '../../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import type { LookUps } from '../../keys/look-ups.ts'
import { noteAccountEvent, type AccountEvent } from '../../../audit/index.ts'
import { refuseEasyPassword } from './own-passwords.ts'
import type { SessionOf } from '../../../../http/callers/caller.ts'
import type { Passwords, Visitor } from './passwords.ts'
import * as accounts from '../queries-accounts.ts'
import { listMemberships } from '../members/queries-members.ts'
import * as sessions from './queries-sessions.ts'

export type Session = { token: string; expiresAt: Date }
/** Where a session is opened. */
export type SessionClient = { address: string; userAgent: string }
type LogIn = SessionClient &
  Pick<Visitor, 'device'> & {
    email: string
    password: string
    /** In a browser, where a password that has to be changed is changed before anything else: to this one. */
    browser?: { next: string | undefined }
  }

const USER_AGENT_LENGTH = 300

/** G-05. A wrong pair is 401 with the same text and cost for a known and an unknown email. */
export async function logIn(ctx: Context, passwords: Passwords, { email, password, browser, ...visitor }: LogIn) {
  const account = await accounts.findAccountNamed(ctx.db, email)
  const isRight = await passwords.guess(visitor, account?.email_folded ?? foldEmail(mendEmail(email)), account, password)
  if (account && !isRight) noteLater(ctx, { accountId: account.id, outcome: 'failed' })
  if (!account || !isRight) return refuseWrongPair(ctx)
  const changed = browser && account.must_change_password ? await readNext(passwords, visitor, account, password, browser.next) : undefined
  const session = await inTransaction(ctx.db, async (tx) => {
    if (changed) await changeKnownPassword(tx, account, changed)
    else if (!(await accounts.holdPassword(tx, account.id, account.password_hash))) return refuseWrongPair(ctx)
    return openSession(ctx, tx, account.id, visitor)
  })
  await noteAccountEvent(ctx, { accountId: account.id })
  if (visitor.device !== undefined) await accounts.rememberDevice(ctx.db, account.id, hashSecret(visitor.device))
  const workspaces = await listMemberships(ctx.db, account.id)
  return { ...session, user: { userId: account.id, email: account.email, name: account.name }, workspaces }
}

/** Behind the answer, which comes as late for an account that is not there. */
function noteLater(ctx: Context, event: AccountEvent): void {
  noteAccountEvent(ctx, event).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'a failed sign-in could not be kept in the audit log'),
  )
}

function refuseWrongPair(ctx: Context): never {
  ctx.metrics.authFailures.labels('login').inc()
  throw new ApiError(401, 'Email or password is wrong')
}

type Changing = { id: string; email: string; password_hash: string }

/** The hash of the password that takes the place of one that others know. */
async function readNext(passwords: Passwords, { address }: SessionClient, { email }: Changing, password: string, next: string | undefined) {
  if (next === undefined) fail('PASSWORD_CHANGE_REQUIRED')
  if (next === password) fail('PASSWORD_WEAK', { message: 'Choose another password than the one you were given' })
  refuseEasyPassword(next, email)
  return passwords.hash(address, next)
}

/** Ends the sessions of whoever else knew it. */
async function changeKnownPassword(tx: Db, { id, password_hash: before }: Changing, after: string): Promise<void> {
  if (!(await accounts.replacePassword(tx, id, before, after))) fail('PASSWORD_CHANGED')
  await sessions.deleteSessionsOf(tx, id)
}

/** How somebody signed in. Of a provider: which, and what it calls the session and the person. */
export type SignedInBy = {
  amr: readonly string[]
  provider?: { id: string; subject: string; sid: string | null; workspaceId: string | null; idTokenSealed: string | null }
}
const BY_PASSWORD: SignedInBy = { amr: ['pwd'] }

export async function openSession(
  ctx: Context,
  db: Db,
  accountId: string,
  { address, userAgent }: SessionClient,
  { amr, provider }: SignedInBy = BY_PASSWORD,
): Promise<Session> {
  const token = randomToken()
  const [now, expiresAt] = [ctx.clock.now(), new Date(ctx.clock.ms() + LIMITS.sessionHours * HOUR_MS)]
  await sessions.deleteExpiredSessions(db, now)
  await sessions.insertSession(db, {
    id: uuidv7(ctx.clock.ms()),
    token_hash: hashSecret(token),
    account_id: accountId,
    user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
    address,
    amr: [...amr],
    provider_id: provider?.id ?? null,
    subject: provider?.subject ?? null,
    sid: provider?.sid ?? null,
    workspace_id: provider?.workspaceId ?? null,
    id_token_sealed: provider?.idTokenSealed ?? null,
    created_at: now,
    last_seen_at: now,
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}

/** The account that is signed in with this token. The time it was last seen is written once a minute. */
export async function recallSession(ctx: Context, lookUps: LookUps, token: string) {
  const [tokenHash, now] = [hashSecret(token), ctx.clock.now()]
  const found = await lookUps.session(tokenHash)
  if (!found) return undefined
  if (now.getTime() - found.lastSeenAt.getTime() > SEEN_EVERY_MS) await sessions.noteSessionUse(ctx.db, tokenHash, now)
  const { userId: accountId, email, name, amr, openedAt, providerId, workspaceId } = found
  const session: SessionOf = { amr, openedAt, providerId, workspaceId }
  return { kind: 'account' as const, accountId, email, name, tokenHash, session }
}

const SEEN_EVERY_MS = 60_000

export async function logOut(ctx: Context, tokenHash: string): Promise<void> {
  await sessions.deleteSession(ctx.db, tokenHash)
}

/** Ends every session of an account, in browsers that are known no longer. */
export async function logOutEverywhere(ctx: Context, accountId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await sessions.deleteSessionsOf(tx, accountId)
    await accounts.forgetDevices(tx, accountId)
  })
}
