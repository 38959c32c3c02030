import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../../context.ts'
import { fail, type ErrorCode } from '../../../../errors.ts'
import { hashSecret } from '../../../../infra/secrets/crypto.ts'
import type { QuotaGrant } from '../../../../infra/kv.ts'

type Counter = readonly [name: string, limit: number, seconds: number]

/** See `spendGuess`. */
const { own: OWN_GUESSES, all: ALL_GUESSES, seconds: WINDOW_SECONDS } = LIMITS.guesses
const [DEVICES_WAITING, DEVICE_SECONDS] = [10_000, 600]
const POLLS_A_MINUTE = 20

/** `email` is folded: guesses at accounts that do not exist are counted too. */
function guessCounters(address: string, email: string): { own: Counter[]; address: Counter } {
  const account = hashSecret(email)
  return {
    own: [
      [`guess:account:${account}`, ALL_GUESSES, WINDOW_SECONDS],
      [`guess:pair:${address}:${account}`, OWN_GUESSES, WINDOW_SECONDS],
    ],
    address: [`guess:address:${address}`, ALL_GUESSES, WINDOW_SECONDS],
  }
}

/** An address may open as many accounts as it may send requests. */
export function signUpCounters(address: string, email: string): Counter[] {
  return [
    [`signup:address:${address}`, LIMITS.addressRequestsPerMinute + LIMITS.addressBurst, LIMITS.rateWindowSeconds],
    [`signup:account:${hashSecret(email)}`, LIMITS.signUpsOfEmail.accounts, LIMITS.signUpsOfEmail.seconds],
  ]
}

/** Workspaces that one account opens: as many as it may send requests. */
export function workspaceCounters(accountId: string): Counter[] {
  return [[`workspaces:${hashSecret(accountId)}`, LIMITS.addressRequestsPerMinute + LIMITS.addressBurst, LIMITS.rateWindowSeconds]]
}

/** Accounts that one account opens for others. */
export function memberCounters(accountId: string): Counter[] {
  return [[`members:${hashSecret(accountId)}`, LIMITS.addressRequestsPerMinute + LIMITS.addressBurst, LIMITS.rateWindowSeconds]]
}

/** Sign-ins with providers that an address begins, and what providers tell from one: a whole company may be behind it. */
export function providerCounters(address: string): Counter[] {
  return [[`sso:address:${address}`, LIMITS.addressRequestsPerMinute + LIMITS.addressBurst, LIMITS.rateWindowSeconds]]
}

/** Links that an address asks for, whoever they are for. */
export function linkCounters(address: string): Counter[] {
  return [[`links:address:${address}`, ALL_GUESSES, WINDOW_SECONDS]]
}

/** Links to one account in an hour: its mailbox is not to be filled, and a page that is sent twice must not cost the second one. */
export function resetCounters(accountId: string): Counter[] {
  return [[`links:account:${hashSecret(accountId)}`, LIMITS.linksPerHour, 3600]]
}

/** Changes of the password, whether they succeed or not: a stolen session must not be a way to guess it. */
export function passwordChangeCounters(accountId: string): Counter[] {
  return [[`password:${hashSecret(accountId)}`, OWN_GUESSES, WINDOW_SECONDS]]
}

/** Wrong codes of a second factor: only who knows the password gets to try any. */
function otpCounters(accountId: string): Counter[] {
  return [[`otp:${hashSecret(accountId)}`, OWN_GUESSES, WINDOW_SECONDS]]
}

/** Passkeys that are refused, of an address, whomever they are for. */
function passkeyCounters(address: string): Counter[] {
  return [[`passkey:${address}`, ALL_GUESSES, WINDOW_SECONDS]]
}

/** Sign-ins that programs of an address ask for, and that all of them do: each waits ten minutes for its person. */
export function deviceCounters(address: string): Counter[] {
  return [
    [`device:address:${address}`, ALL_GUESSES, WINDOW_SECONDS],
    ['device:all', DEVICES_WAITING, DEVICE_SECONDS],
  ]
}

/** How often one program asks whether its person has answered: every five seconds, and some more. */
export function devicePollCounters(deviceHash: string): Counter[] {
  return [[`device:poll:${deviceHash}`, POLLS_A_MINUTE, 60]]
}

/** Counts `work` as a wrong code of this account, unless it succeeds: nobody goes through the sign-ins that wait. */
export async function withDeviceTry<T>(ctx: Context, accountId: string, work: () => Promise<T>): Promise<T> {
  return withTry(ctx, [[`device:code:${hashSecret(accountId)}`, OWN_GUESSES, WINDOW_SECONDS]], work)
}

/** Counts `work` as a try at a code of this account, unless it succeeds. */
export async function withOtpTry<T>(ctx: Context, accountId: string, work: () => Promise<T>): Promise<T> {
  return withTry(ctx, otpCounters(accountId), work)
}

/** Counts `work` as a try with a passkey from this address, unless it succeeds. */
export async function withPasskeyTry<T>(ctx: Context, address: string, work: () => Promise<T>): Promise<T> {
  return withTry(ctx, passkeyCounters(address), work)
}

async function withTry<T>(ctx: Context, counters: readonly Counter[], work: () => Promise<T>): Promise<T> {
  await spendTry(ctx, counters, 'LOGIN_RATE_LIMITED')
  const done = await work()
  await giveBackTry(ctx, counters)
  return done
}

/** A sign-in that may be tried. `refuseWrong` throws what a wrong password is answered with, if not as usual. */
type Guess = { counters: Counter[]; refuseWrong(): void }

/**
 * Counts a guess before it is made. The guesses of an address at all accounts together keep it from those that somebody
 * guesses at, and from no other: an account nobody guessed at gets one try, in which only the right password is told from
 * what a full address is told anyway. An email without an account is treated the same, so that nobody learns which there are.
 */
export async function spendGuess(ctx: Context, address: string, email: string): Promise<Guess> {
  const { own, address: ofAddress } = guessCounters(address, email)
  const [account] = await spendTry(ctx, own, 'LOGIN_RATE_LIMITED')
  const [taken] = await take(ctx, [ofAddress], 1)
  if (taken?.granted === 1) return { counters: [...own, ofAddress], refuseWrong: () => undefined }
  const refuse = () => refuseUntil(ctx, 'LOGIN_RATE_LIMITED', taken?.endsAt ?? 0)
  if (account?.used === 1) return { counters: own, refuseWrong: refuse }
  await giveBackTry(ctx, own)
  return refuse()
}

/** From a browser in which the account was signed in to before: no guessing of others holds it up. */
export async function spendDeviceGuess(ctx: Context, deviceHash: string, email: string): Promise<Guess> {
  const counters: Counter[] = [[`guess:device:${deviceHash}:${hashSecret(email)}`, OWN_GUESSES, WINDOW_SECONDS]]
  await spendTry(ctx, counters, 'LOGIN_RATE_LIMITED')
  return { counters, refuseWrong: () => undefined }
}

/** Counts a try before it is made, so that a crowd gets no more of them than one after another. A refused one is not counted. */
export async function spendTry(ctx: Context, counters: readonly Counter[], code: ErrorCode): Promise<QuotaGrant[]> {
  const taken = await take(ctx, counters, 1)
  const full = taken.filter(({ granted }) => granted === 0)
  if (full.length === 0) return taken
  const counted = counters.filter((_, index) => taken[index]?.granted === 1)
  await giveBackTry(ctx, counted)
  return refuseUntil(ctx, code, Math.max(...full.map((each) => each.endsAt)))
}

function refuseUntil(ctx: Context, code: ErrorCode, endsAt: number): never {
  fail(code, { retryAfter: Math.max(1, Math.ceil((endsAt - ctx.clock.ms()) / 1000)) })
}

/** Where a refusal would tell what nobody may know: whether there is room, which is then taken. */
export async function takeQuietly(ctx: Context, counters: readonly Counter[]): Promise<boolean> {
  return (await take(ctx, counters, 1)).every(({ granted }) => granted === 1)
}

/** It did no harm: the password was right. */
export async function giveBackTry(ctx: Context, counters: readonly Counter[]): Promise<void> {
  await take(ctx, counters, -1)
}

function take({ kv, clock }: Context, counters: readonly Counter[], want: number) {
  return Promise.all(counters.map(async ([name, limit, seconds]) => kv.take(name, want, limit, seconds, clock.ms())))
}
