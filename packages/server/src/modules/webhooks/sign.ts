/** What a receiver checks (M-HOOK-11 to M-HOOK-14). */
import { createHmac } from 'node:crypto'
import { randomToken } from '../../infra/secrets/crypto.ts'

export function makeSecret(): string {
  return `whsec_${randomToken()}`
}

/** The whole text of the secret is the key (A-28). */
export function signedHeaders(secret: string, deliveryId: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'content-type': 'application/json',
    'x-cf-timestamp': timestamp,
    'x-cf-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    'x-cf-delivery': deliveryId,
  }
}
