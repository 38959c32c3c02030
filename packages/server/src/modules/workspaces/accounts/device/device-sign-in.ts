/**
 * Signing in a program by a browser (RFC 8628, with routes of our own): the program shows a code and waits; its person compares the
 * code on a page where they are signed in, sees from where it was asked, and answers.
 *
 *   waiting ──allowed, by a session of the last ten minutes──▶ a session for the program, once, within a minute
 *   waiting ──refused──▶ told to the program, once
 *   waiting ──ten minutes──▶ over
 */
import { cutText } from '@contentflow/core/cut-text.ts'
import { makeUserCode, readUserCode } from '@contentflow/core/sign-in/user-code.ts'
import type { SignInMethod } from '@contentflow/core/identity/second-factor/policy.ts'
import { MINUTE_MS } from '@contentflow/core/units.ts'
import { randomInt } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail } from '../../../../errors.ts'
import type { AccountCaller } from '../../../../http/callers/caller.ts'
import { refuseOldSession } from '../../../../http/callers/recent-session.ts'
import { hashSecret, randomToken } from '../../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { noteAccountEvent } from '../../../audit/index.ts'
import { membershipsIn } from '../members/memberships.ts'
import { findAccount } from '../queries-accounts.ts'
import { openSession, type SessionClient } from '../sign-in/sessions.ts'
import { deviceCounters, devicePollCounters, spendTry, withDeviceTry } from '../sign-in/tries.ts'
import * as queries from './queries-device.ts'

const LASTS_MS = 10 * MINUTE_MS
/** The program asks every few seconds; what was allowed does not lie around. */
const TAKEN_WITHIN_MS = MINUTE_MS
const INTERVAL_SECONDS = 5
const HOST_LENGTH = 100
const USER_AGENT_LENGTH = 300
const RANDOM = 2 ** 32
/** Of 25 billion codes a taken one is drawn once in a long while. */
const DRAWS = 5

const draw = () => randomInt(RANDOM) / RANDOM

/** `rates`: the caller, as rates count it. */
export async function beginDeviceSignIn(
  ctx: Context,
  { address, userAgent, rates, host }: SessionClient & { rates: string; host: string },
) {
  await spendTry(ctx, deviceCounters(rates), 'LOGIN_RATE_LIMITED')
  const [deviceCode, now] = [randomToken(), ctx.clock.now()]
  const expiresAt = new Date(now.getTime() + LASTS_MS)
  const row = {
    device_hash: hashSecret(deviceCode),
    host: cutText(host.trim(), HOST_LENGTH),
    address,
    user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
    created_at: now,
    expires_at: expiresAt,
  }
  for (let drawn = 0; drawn < DRAWS; drawn++) {
    const userCode = makeUserCode(draw)
    if (await queries.insertDeviceSignIn(ctx.db, { ...row, code_hash: hashSecret(userCode) }))
      return { deviceCode, userCode, expiresAt, intervalSeconds: INTERVAL_SECONDS }
  }
  return fail('SIGN_IN_BUSY', { retryAfter: INTERVAL_SECONDS })
}

/** What waits under a code, for whoever is signed in. Wrong codes are counted. */
export async function findDeviceSignIn(ctx: Context, { accountId }: AccountCaller, typed: string) {
  return withDeviceTry(ctx, accountId, async () => requireWaiting(ctx, typed))
}

async function requireWaiting(ctx: Context, typed: string) {
  const code = readUserCode(typed)
  const found = code === undefined ? undefined : await queries.findByCode(ctx.db, hashSecret(code), ctx.clock.now())
  return found && code !== undefined ? { ...found, code } : fail('DEVICE_CODE_UNKNOWN')
}

/** Once. Allowing takes a sign-in of the last ten minutes: a session that somebody found open must not become another one. */
export async function decideDeviceSignIn(ctx: Context, caller: AccountCaller, typed: string, isAllowed: boolean): Promise<void> {
  if (isAllowed) refuseOldSession(ctx, caller)
  await withDeviceTry(ctx, caller.accountId, async () => {
    const { code_hash: codeHash, expires_at: expiresAt } = await requireWaiting(ctx, typed)
    const now = ctx.clock.now()
    const soon = new Date(now.getTime() + TAKEN_WITHIN_MS)
    const answer = isAllowed
      ? { answer: 'allowed' as const, session_hash: caller.tokenHash, expires_at: soon }
      : { answer: 'refused' as const, session_hash: null, expires_at: expiresAt }
    if (!(await queries.answerDeviceSignIn(ctx.db, codeHash, answer, now))) fail('DEVICE_CODE_UNKNOWN')
  })
}

/** The session of a program, once its person has allowed it: as any sign-in is answered. */
export async function takeDeviceSession(ctx: Context, deviceCode: string, client: SessionClient) {
  const deviceHash = hashSecret(deviceCode)
  await spendTry(ctx, devicePollCounters(deviceHash), 'LOGIN_RATE_LIMITED')
  const found = await queries.findByDevice(ctx.db, deviceHash, ctx.clock.now())
  if (!found) return refuseOver()
  if (found.answer === null) return fail('SIGN_IN_PENDING', { retryAfter: INTERVAL_SECONDS })
  const taken = await inTransaction(ctx.db, (tx) => take(ctx, tx, found, client))
  if (taken === 'over') return refuseOver()
  if (taken === 'refused') return fail('SIGN_IN_REFUSED')
  const { session, accountId, amr, workspaceId } = taken
  await noteAccountEvent(ctx, { accountId })
  const account = await findAccount(ctx.db, accountId)
  const workspaces = await membershipsIn(ctx.db, accountId, { amr, workspaceId })
  return { ...session, user: { userId: accountId, email: account?.email ?? '', name: account?.name ?? '' }, workspaces }
}

/** It goes with whatever came of it. */
async function take(ctx: Context, tx: Db, { device_hash, answer, session_hash }: queries.DeviceSignIn, client: SessionClient) {
  if (!(await queries.takeDeviceSignIn(tx, device_hash))) return 'over' as const
  if (answer === 'refused' || session_hash === null) return 'refused' as const
  const by = await queries.findAllowing(tx, session_hash, ctx.clock.now())
  if (!by) return 'over' as const
  const { account_id: accountId, amr, provider_id: id, subject, sid, workspace_id: workspaceId } = by
  const provider = id === null ? undefined : { id, subject: subject ?? '', sid, workspaceId, idTokenSealed: null }
  const since = { openedAt: by.created_at, expiresAt: by.expires_at }
  const session = await openSession(ctx, tx, accountId, client, { amr: amr as SignInMethod[], ...(provider && { provider }), since })
  return { session, accountId, amr, workspaceId }
}

function refuseOver(): never {
  fail('SIGN_IN_OVER', { message: 'This sign-in was answered before or is older than 10 minutes; begin again' })
}
