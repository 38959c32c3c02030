/** Whether a key can sign mail (DKIM). */
import { createPrivateKey } from 'node:crypto'

/** RFC 8301, 3.2: receivers trust no shorter one; 2,048 are what one makes. */
const [SHORTEST, LONGEST] = [1_024, 4_096]

/** Why it cannot; undefined: it can, or there is none. */
export function signingKeyFault(pem: string): string | undefined {
  if (pem === '') return undefined
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    // What mail is signed with here knows RSA alone, as many receivers do.
    if (asymmetricKeyType !== 'rsa') return 'must be a key of RSA'
    return bits < SHORTEST || bits > LONGEST ? `must have ${SHORTEST} to ${LONGEST} bits` : undefined
  } catch {
    return 'must be a private key in PEM form without a password'
  }
}
