/** What pages hand to the browser, as its own `parse…FromJSON` functions read it. */
import type { RelyingParty } from './relying-party.ts'
import type { PasskeyRow } from './queries-passkeys.ts'

const TIMEOUT_MS = 5 * 60_000
/** EdDSA, ES256 and RS256, by their numbers in COSE. */
export const ALGORITHMS = [-8, -7, -257]

type Known = Pick<PasskeyRow, 'credential_id' | 'transports'>
type Descriptor = { type: 'public-key'; id: string; transports: string[] }
export type PasskeyOptions = {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required'
  allowCredentials: Descriptor[]
}

/** `known`: which passkeys may answer; none: the browser offers those that it has for this server. */
export function requestOptions({ id: rpId }: RelyingParty, challenge: string, known: readonly Known[]): PasskeyOptions {
  return { challenge, rpId, timeout: TIMEOUT_MS, userVerification: 'required', allowCredentials: known.map(toDescriptor) }
}

type Person = { user: string; email: string; name: string }

export function creationOptions({ id }: RelyingParty, challenge: string, { user, email, name }: Person, known: readonly Known[]) {
  return {
    challenge,
    rp: { id, name: 'ContentFlow' },
    user: { id: user, name: email, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none' as const,
    authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true, userVerification: 'required' as const },
    // A device that has one for this account says so.
    excludeCredentials: known.map(toDescriptor),
  }
}

function toDescriptor({ credential_id: id, transports }: Known): Descriptor {
  return { type: 'public-key', id, transports }
}
