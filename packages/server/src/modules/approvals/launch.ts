/** Who may let something go live besides its approval: admins only, or whoever shows a one-time code (G-54, G-92). */
import { randomInt } from 'node:crypto'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import type { Change } from '../../infra/change.ts'
import { hashSecret, uuidv7 } from '../../infra/secrets/crypto.ts'
import { findSendingChannel, spendTry, type Channels } from '../channels/index.ts'
import { saveCode, takeCode } from './queries-codes.ts'
import { findRules } from './queries-rules.ts'

/** `name`: what the person who gets a code calls it. */
export type LaunchSubject = { kind: 'campaign' | 'journey' | 'segment'; id: string; name: string }
type Sent = { sentTo: string; expiresAt: Date; code?: string }

/** What lets each go live. */
const LAUNCHING = { campaign: 'campaigns:launch', journey: 'journeys:activate', segment: 'messages:send' } as const

/** A new code for this person and what is to go live; one sent before is void. With test hooks the answer has it too. */
export async function sendCode(ctx: Context, channels: Channels, member: MemberCaller, about: LaunchSubject): Promise<Sent> {
  if (member.ownerId !== undefined) fail('ROLE_REQUIRED', { message: 'Codes are mailed to people, not to service accounts' })
  if (!member.grant.permissions.has(LAUNCHING[about.kind]) && !member.mayApprove)
    fail('ROLE_REQUIRED', { message: `Only who may let a ${about.kind === 'segment' ? 'message' : about.kind} go live gets a code` })
  const { workspaceId, accountId } = member
  const channel = await findSendingChannel(ctx.db, workspaceId, 'email')
  const isTestHooks = ctx.config.hasTestHooks
  if (!channel && !isTestHooks) fail('LAUNCH_OTP_UNAVAILABLE')
  await spendTry(ctx, 'launch-code', accountId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const subject = subjectOf(about)
  const expiresAt = await ctx.change({ workspaceId, actor: accountId }, async ({ tx, now }) => {
    const until = new Date(now.getTime() + LIMITS.launchCode.minutes * 60_000)
    await saveCode(tx, workspaceId, { subject, accountId, hash: hashOf(subject, accountId, code), expiresAt: until, now })
    return until
  })
  if (channel) {
    const outcome = await channels.send(channel, { id: uuidv7(ctx.clock.ms()), to: member.email, ...mailOf(about, code) })
    if (outcome.kind !== 'sent' && !isTestHooks) fail('LAUNCH_OTP_UNAVAILABLE', { message: `The code could not be sent: ${outcome.text}` })
  }
  return { sentTo: member.email, expiresAt, ...(isTestHooks && { code }) }
}

type About = Pick<LaunchSubject, 'kind' | 'id'>

/** True when this is the code: it is used up then. A wrong one counts, and the fifth voids the code. */
export async function useCode({ tx, workspaceId, actor, now }: Change, about: About, otp: string | undefined): Promise<boolean> {
  if (otp === undefined) return false
  const subject = subjectOf(about)
  const hash = hashOf(subject, actor, otp.trim())
  return takeCode(tx, workspaceId, { subject, accountId: actor, hash, mostWrong: LIMITS.launchCode.wrongTries, now })
}

/** Of journeys and of messages to segments: what is said of campaigns holds for them too. That a code was wrong is remembered. */
export async function passLaunch(ctx: Context, member: MemberCaller, about: About, otp: string | undefined): Promise<void> {
  const { workspaceId, accountId, role } = member
  const { launch } = await findRules(ctx.db, workspaceId)
  if (launch === 'admin' && role !== 'admin') fail('LAUNCH_ADMIN_REQUIRED')
  if (launch !== 'otp') return
  const isRight = await ctx.change({ workspaceId, actor: accountId }, (change) => useCode(change, about, otp))
  if (!isRight) fail('LAUNCH_OTP_REQUIRED')
}

function subjectOf({ kind, id }: About): string {
  return `${kind}:${id}`
}

function hashOf(subject: string, accountId: string, code: string): string {
  return hashSecret(`${subject}\n${accountId}\n${code}`)
}

function mailOf({ kind, name }: LaunchSubject, code: string) {
  const { minutes } = LIMITS.launchCode
  const what = { campaign: `the campaign "${name}"`, journey: `the journey "${name}"`, segment: `a message to the segment "${name}"` }[kind]
  return {
    title: `${code} is your code for "${name}"`,
    body: `Your code to let ${what} go live is ${code}. It holds for ${minutes} minutes.`,
  }
}
