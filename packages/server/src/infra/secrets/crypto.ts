import { argon2 as argon2Callback, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const argon2 = promisify(argon2Callback)

/** What is stored of a key or token: random texts of 96 bits and more need no slow hash. */
export function hashSecret(text: string): string {
  return hash('sha256', text, 'hex')
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** A secret of 256 bits that may stand in headers and addresses. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Lower-case letters and digits, 5 bits each. */
export function randomId(length: number): string {
  return Array.from(randomBytes(length), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'[byte & 31]).join('')
}

/** The same parts, in their order, have the same UUID (version 8): of their SHA-256. */
export function uuidOf(parts: readonly (string | number)[]): string {
  const bytes = hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  return asUuid(bytes)
}

let latest = 0
let sequence = 0

/**
 * UUID version 7: sortable by time of making, and within one process also among those of one millisecond, by a
 * counter in the 12 bits after the version. PostgreSQL 15 has no function for it.
 */
export function uuidv7(now: number): string {
  sequence = now === latest ? sequence + 1 : 0
  latest = now
  const bytes = randomBytes(16)
  // A counter that runs over borrows from the next millisecond.
  bytes.writeUIntBE(now + (sequence >> 12), 0, 6)
  bytes.writeUInt16BE(0x7000 | (sequence & 0xfff), 6)
  return asUuid(bytes)
}

/** With the variant of a UUID; the version is in it already. */
function asUuid(bytes: Buffer): string {
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The first 128 bits of SHA-256 in the form of a UUID, for a unique index that stays small. */
export function hashUuid(text: string): string {
  const hex = hash('sha256', text, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** First four bytes of SHA-256 as a number (G-73). */
export function hash32(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0)
}

/** OWASP's smallest recommended Argon2id setting: 19 MiB, two passes. */
const PASSWORD_COST = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 } as const

/** Argon2id in PHC string form. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2('argon2id', { message: password, nonce, ...PASSWORD_COST })
  return phcString(nonce, tag)
}

function phcString(nonce: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${PASSWORD_COST.memory},t=${PASSWORD_COST.passes},p=1$${base64(nonce)}$${base64(tag)}`
}

export async function isPasswordRight(password: string, stored: string): Promise<boolean> {
  const [, , , cost, nonce, tag] = stored.split('$')
  const [memory, passes] = [/m=(\d+)/, /t=(\d+)/].map((pattern) => Number(pattern.exec(cost ?? '')?.[1]))
  if (!nonce || !tag || !memory || !passes) throw new Error('stored password hash is not an Argon2id string')
  const expected = Buffer.from(tag, 'base64')
  const actual = await argon2('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    parallelism: 1,
    memory,
    passes,
    tagLength: expected.length,
  })
  return timingSafeEqual(actual, expected)
}

/** A stored form that no password fits, and that takes as long to check as every other. */
export function decoyPasswordHash(): string {
  return phcString(randomBytes(16), randomBytes(PASSWORD_COST.tagLength))
}

/** Compares secrets without telling by time how much of them fits. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

/** The same for short ASCII texts on the hot path: without a hash, in a time that their length alone decides. */
export function isSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
