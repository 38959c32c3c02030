/**
 * Questions that a sign-in or a new passkey answers within five minutes, once. Each carries its own time and is signed with what
 * it is about, so none is stored before it is answered: anybody may ask for any number of them.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail } from '../../../../errors.ts'
import { hashSecret, isSameSecret } from '../../../../infra/secrets/crypto.ts'
import { keepUsedChallenge } from './queries-second-factor.ts'

/** Random and time are a multiple of three bytes, so that base64url of both and of the signature is that of all three. */
const [RANDOM_BYTES, TIME_BYTES, SIGNATURE_BYTES] = [18, 6, 32]
const MINUTES = 5

/** What is asked: for a new passkey, for one instead of name and password, or for the second step after a password. */
type Purpose = 'register' | 'passkey' | 'second'
/** `about`: what it holds for, such as an account; another one makes it worthless. */
export type Asked = { purpose: Purpose; about: string }
type Challenge = { challenge: string; expiresAt: Date }

/** In base64url, as passkeys sign it. */
export function makeChallenge(ctx: Context, asked: Asked): Challenge {
  const expiresAt = new Date(ctx.clock.ms() + MINUTES * 60_000)
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(expiresAt.getTime(), 0, TIME_BYTES)
  const head = Buffer.concat([randomBytes(RANDOM_BYTES), time])
  return { challenge: head.toString('base64url') + signatureOf(ctx, asked, head), expiresAt }
}

/** Whether it was asked by this installation, about the same, and not more than five minutes ago. */
export function isChallenge(ctx: Context, asked: Asked, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== RANDOM_BYTES + TIME_BYTES + SIGNATURE_BYTES) return false
  const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES)
  if (head.readUIntBE(RANDOM_BYTES, TIME_BYTES) <= ctx.clock.ms()) return false
  return isSameSecret(challenge, head.toString('base64url') + signatureOf(ctx, asked, head))
}

function signatureOf(ctx: Context, { purpose, about }: Asked, head: Buffer): string {
  return ctx.secrets.derive(JSON.stringify(['challenge', purpose, about, head.toString('base64url')]))
}

/** Refuses the second answer to a challenge. */
export async function takeChallenge(ctx: Context, tx: Db, challenge: string): Promise<void> {
  const now = ctx.clock.now()
  const isFirst = await keepUsedChallenge(tx, { hash: hashSecret(challenge), expires_at: new Date(now.getTime() + MINUTES * 60_000) }, now)
  if (!isFirst) fail('SIGN_IN_OVER')
}
