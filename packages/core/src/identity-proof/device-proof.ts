/** Who may speak for an installation, decided from what is known of it and of the request. */
import type { DeviceProofOutcome, ProofModes } from './modes.ts'

/** `userId`: of whoever it is linked to, also after its record lapsed, because an identify without a user takes the link up again. */
export type DeviceFacts = { isBound: boolean; userId: string | null }

/** Undefined: there is nothing to prove of an installation that nobody has been bound to or signed in on. */
export function outcomeOfDevice(facts: DeviceFacts, sent: { isSent: boolean; isRight: boolean }): DeviceProofOutcome | undefined {
  if (!facts.isBound) return facts.userId === null ? undefined : 'unbound'
  if (!sent.isSent) return 'missing'
  return sent.isRight ? 'proven' : 'wrong'
}

/**
 * What an identify does about the token of its installation. `keep`: it is proven. `bind`: it gets its first one. `renew`:
 * it lost its own and gets another. `none`: no token is told. `user`, `device`: nothing is, and with `required` it is refused for
 * want of this proof.
 */
export type Binding = 'keep' | 'bind' | 'renew' | 'none'
export type BindingPlan = { binding: Binding; lacks?: 'user' | 'device' }

/** `provenUser`: whom a right user token was sent for. */
export function planBinding(
  facts: DeviceFacts,
  outcome: DeviceProofOutcome | undefined,
  { userToken }: Pick<ProofModes, 'userToken'>,
  provenUser: string | undefined,
): BindingPlan {
  if (outcome === 'proven') return { binding: 'keep' }
  if (outcome === undefined) return { binding: 'bind' }
  if (outcome === 'unbound') {
    // Whoever names nobody would be given the token of a person they need not be.
    const isOpen = userToken !== 'required' || provenUser !== undefined
    return isOpen ? { binding: 'bind' } : { binding: 'none', lacks: 'user' }
  }
  return provenUser !== undefined && provenUser === facts.userId ? { binding: 'renew' } : { binding: 'none', lacks: 'device' }
}
