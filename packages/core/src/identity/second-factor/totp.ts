/** One-time codes of authenticator apps: RFC 4226 and RFC 6238 with SHA-1, 30 seconds and 6 digits, which all of them know. */
export type HmacSha1 = (message: Uint8Array) => Uint8Array

const STEP_MS = 30_000
/** A clock may be one step off. */
const STEPS_OFF = [0, -1, 1]
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code number `counter` of the secret with which `hmac` works. */
export function hotp(hmac: HmacSha1, counter: number, digits = 6): string {
  const message = new Uint8Array(8)
  for (let i = 7, rest = counter; i >= 0; i--, rest = Math.floor(rest / 256)) message[i] = rest % 256
  const mac = hmac(message)
  const at = (mac[19] ?? 0) & 15
  const number = [0, 1, 2, 3].reduce((sum, i) => sum * 256 + ((mac[at + i] ?? 0) & (i === 0 ? 127 : 255)), 0)
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is, among those that are right at `ms`. */
export function totpStep(hmac: HmacSha1, code: string, ms: number): number | undefined {
  const now = Math.floor(ms / STEP_MS)
  return STEPS_OFF.map((off) => now + off).find((step) => hotp(hmac, step) === code)
}

/** Without padding, as authenticator apps read secrets. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** What an authenticator app reads from a QR code. */
export function otpauthUri(secret: string, email: string, issuer: string): string {
  const [name, by] = [encodeURIComponent(email), encodeURIComponent(issuer)]
  return `otpauth://totp/${by}:${name}?secret=${secret}&issuer=${by}`
}
