/** Signed identity: whether the calls of apps have to prove for whom they speak. Each environment has its own switches, all off at first. */
export const PROOF_MODES = ['off', 'report', 'required'] as const
export type ProofMode = (typeof PROOF_MODES)[number]

export const PROOF_PARTS = [
  /** Whoever names a user sends a token that the app's own server signed for that user. */
  'userToken',
  /** Whoever speaks for an installation sends the token that its identify was answered with. */
  'deviceProof',
] as const
export type ProofPart = (typeof PROOF_PARTS)[number]
export type ProofModes = Record<ProofPart, ProofMode>

export const PROOF_ENVIRONMENTS = ['live', 'test'] as const
export type ProofEnvironment = (typeof PROOF_ENVIRONMENTS)[number]
/** As stored: what is not named is off. */
export type StoredProofModes = Partial<Record<ProofEnvironment, Partial<ProofModes>>>

/** Also of whoever needs no proof. */
export const NO_PROOFS: ProofModes = { userToken: 'off', deviceProof: 'off' }

/** The switches of one environment. */
export function proofModes(stored: StoredProofModes, environment: ProofEnvironment): ProofModes {
  return { ...NO_PROOFS, ...stored[environment] }
}

/** What a call that is about a proof came to. Everything but `proven` would be refused, or answered as to a stranger, with `required`. */
export const USER_TOKEN_FAULTS = ['expired', 'signature', 'audience', 'subject', 'algorithm', 'unknown_key', 'too_long', 'device'] as const
export type UserTokenFault = (typeof USER_TOKEN_FAULTS)[number]
export type UserTokenOutcome = 'proven' | 'missing' | UserTokenFault
export type DeviceProofOutcome = 'proven' | 'missing' | 'wrong' | 'unbound'
export type ProofOutcome = UserTokenOutcome | DeviceProofOutcome
export const PROOF_OUTCOMES: readonly ProofOutcome[] = ['proven', 'missing', ...USER_TOKEN_FAULTS, 'wrong', 'unbound']
