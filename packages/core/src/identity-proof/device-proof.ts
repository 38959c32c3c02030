/** Decides who may speak for an installation, from what is known of it and of the request. */
import type { DeviceProofOutcome, ProofModes } from './modes.ts'

/**
 * `isBound`: the installation has been given a token. `userId`: the user it is linked to, also after its record lapsed, because an
 * identify that names no user takes that link up again.
 */
export type DeviceFacts = { isBound: boolean; userId: string | null }

/** Undefined: the installation has no token, and nobody has signed in on it, so there is nothing to prove. */
export function outcomeOfDevice(facts: DeviceFacts, sent: { isSent: boolean; isRight: boolean }): DeviceProofOutcome | undefined {
  if (!facts.isBound) return facts.userId === null ? undefined : 'unbound'
  if (!sent.isSent) return 'missing'
  return sent.isRight ? 'proven' : 'wrong'
}

/**
 * What an identify does about the token of its installation. `keep`: the call sent the right token, which stays. `bind`: the
 * installation gets its first token. `renew`: the installation lost its token and gets another. `none`: the answer has no token.
 * `lacks` says which proof the call would have needed; with `required` the call is refused for it.
 */
export type Binding = 'keep' | 'bind' | 'renew' | 'none'
export type BindingPlan = { binding: Binding; lacks?: 'user' | 'device' }

/** `provenUser`: the user for whom the call sent a right user token. */
export function planBinding(
  facts: DeviceFacts,
  outcome: DeviceProofOutcome | undefined,
  { userToken }: Pick<ProofModes, 'userToken'>,
  provenUser: string | undefined,
): BindingPlan {
  if (outcome === 'proven') return { binding: 'keep' }
  if (outcome === undefined) return { binding: 'bind' }
  if (outcome === 'unbound') {
    // The installation is linked to a user. Without a user token the caller need not be that user, and would get the token all the same.
    const isOpen = userToken !== 'required' || provenUser !== undefined
    return isOpen ? { binding: 'bind' } : { binding: 'none', lacks: 'user' }
  }
  return provenUser !== undefined && provenUser === facts.userId ? { binding: 'renew' } : { binding: 'none', lacks: 'device' }
}
