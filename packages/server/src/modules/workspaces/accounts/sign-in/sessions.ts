import { mendEmail } from '@contentflow/core/identity/contact.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../../context.ts'
import type { SignInMethod } from '@contentflow/core/identity/second-factor/policy.ts'
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
import { membershipsIn } from '../members/memberships.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { secondStep, type Proof } from '../second-factor/second-step.ts'
import * as sessions from './queries-sessions.ts'
import { withOtpTry } from './tries.ts'

export type Session = { token: string; expiresAt: Date }
/** Where a session is opened. */
export type SessionClient = { address: string; userAgent: string }
/** Who signs in. `device`: of a browser. */
export type Arrival = SessionClient & Pick<Visitor, 'device'>
/** In a browser, where a password that has to be changed is changed before anything else: to this one. */
export type InBrowser = { next: string | undefined }
type LogIn = Arrival & {
  email: string
  password: string
  /** Of a second factor, sent at once. */
  otp?: string | undefined
  party: RelyingParty | undefined
  browser?: InBrowser
}

const USER_AGENT_LENGTH = 300

/** G-05. A wrong pair is 401 with the same text and cost for a known and an unknown email. */
export async function logIn(ctx: Context, passwords: Passwords, { email, password, otp, party, browser, ...visitor }: LogIn) {
  const account = await accounts.findAccountNamed(ctx.db, email)
  const isRight = await passwords.guess(visitor, account?.email_folded ?? foldEmail(mendEmail(email)), account, password)
  if (account && !isRight) noteLater(ctx, { accountId: account.id, outcome: 'failed' })
  if (!account || !isRight) return refuseWrongPair(ctx)
  const changed = await readNext(passwords, visitor, account, browser)
  const proof = await secondStep(ctx, account, { otp, party })
  return enterWithPassword(ctx, account, visitor, { ...proof, changed })
}

/** `changed`: the hash of the password that takes the place of one that others know. */
type Entry = Proof & { changed: string | undefined }
type Entering = accounts.AccountRow

/** Opens a session for whoever gave the password of the account, and what else it takes. */
export async function enterWithPassword(ctx: Context, account: Entering, visitor: Arrival, { changed, prove, methods }: Entry) {
  const open = () =>
    enter(ctx, account, visitor, {
      methods,
      prove: async (tx) => {
        await prove(tx)
        if (changed) await changeKnownPassword(tx, account, changed)
        else if (!(await accounts.holdPassword(tx, account.id, account.password_hash))) refuseWrongPair(ctx)
      },
    })
  return methods.includes('otp') ? withOtpTry(ctx, account.id, open) : open()
}

/** Opens a session once `prove` has found nothing wrong, in one transaction. */
export async function enter(ctx: Context, account: Entering, visitor: Arrival, { methods, prove }: Proof) {
  const session = await inTransaction(ctx.db, async (tx) => {
    await prove(tx)
    return openSession(ctx, tx, account.id, visitor, { amr: methods })
  })
  await noteAccountEvent(ctx, { accountId: account.id })
  if (visitor.device !== undefined) await accounts.rememberDevice(ctx.db, account.id, hashSecret(visitor.device))
  const workspaces = await membershipsIn(ctx.db, account.id, { amr: methods, workspaceId: null })
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

type Changing = Pick<Entering, 'id' | 'email' | 'password_hash' | 'must_change_password'>

/** In a browser, the hash of the password that takes the place of one that others know. */
export async function readNext(
  passwords: Passwords,
  { address }: SessionClient,
  { email, password_hash: before, must_change_password: mustChange }: Changing,
  browser: InBrowser | undefined,
): Promise<string | undefined> {
  if (!browser || !mustChange) return undefined
  const { next } = browser
  if (next === undefined) fail('PASSWORD_CHANGE_REQUIRED')
  refuseEasyPassword(next, email)
  if (await passwords.isRight(address, next, before))
    fail('PASSWORD_WEAK', { message: 'Choose another password than the one you were given' })
  return passwords.hash(address, next)
}

/** Ends the sessions of whoever else knew it. */
async function changeKnownPassword(tx: Db, { id, password_hash: before }: Changing, after: string): Promise<void> {
  if (!(await accounts.replacePassword(tx, id, before, after))) fail('PASSWORD_CHANGED')
  await sessions.deleteSessionsOf(tx, id)
}

/** How somebody signed in. Of a provider: which, and what it calls the session and the person. */
export type SignedInBy = {
  amr: readonly SignInMethod[]
  provider?: { id: string; subject: string; sid: string | null; workspaceId: string | null; idTokenSealed: string | null }
  /** Of one that another session opened: it is as old, and lasts no longer. */
  since?: { openedAt: Date; expiresAt: Date }
}

/** In a transaction. Of more sessions than an account may have, the oldest end; those that are opened side by side are counted one after another. */
export async function openSession(
  ctx: Context,
  tx: Db,
  accountId: string,
  { address, userAgent }: SessionClient,
  { amr, provider, since }: SignedInBy,
): Promise<Session> {
  const token = randomToken()
  const now = ctx.clock.now()
  const expiresAt = since?.expiresAt ?? new Date(now.getTime() + LIMITS.sessionHours * HOUR_MS)
  const tokenHash = hashSecret(token)
  await accounts.lockAccount(tx, accountId)
  await sessions.deleteExpiredSessions(tx, now)
  await sessions.insertSession(tx, {
    id: uuidv7(ctx.clock.ms()),
    token_hash: tokenHash,
    account_id: accountId,
    user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
    address,
    amr: [...amr],
    provider_id: provider?.id ?? null,
    subject: provider?.subject ?? null,
    sid: provider?.sid ?? null,
    workspace_id: provider?.workspaceId ?? null,
    id_token_sealed: provider?.idTokenSealed ?? null,
    created_at: since?.openedAt ?? now,
    last_seen_at: now,
    expires_at: expiresAt,
  })
  await sessions.deleteOldestSessions(tx, accountId, tokenHash, LIMITS.sessionsPerAccount)
  return { token, expiresAt }
}

/**
 * The account that is signed in with this token. The time it was last seen is written once a minute. A session that nobody
 * used for longer than the most cautious of its person's workspaces allows ends here, whatever it asks for.
 */
export async function recallSession(ctx: Context, lookUps: LookUps, token: string) {
  const [tokenHash, now] = [hashSecret(token), ctx.clock.now()]
  const found = await lookUps.session(tokenHash)
  if (!found) return undefined
  const idleMs = now.getTime() - found.lastSeenAt.getTime()
  if (found.idleMinutes !== null && idleMs > found.idleMinutes * 60_000 + SEEN_EVERY_MS) {
    await sessions.deleteSession(ctx.db, tokenHash)
    return undefined
  }
  if (idleMs > SEEN_EVERY_MS) await sessions.noteSessionUse(ctx.db, tokenHash, now)
  const { userId: accountId, email, name, amr, openedAt, providerId, workspaceId, idleMinutes } = found
  const session: SessionOf = { amr, openedAt, providerId, workspaceId, idleMinutes }
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
