/** Signed identity: whether the calls of apps have to prove for whom they speak. Each environment has its own switches, all off at first. */
export const PROOF_MODES = ['off', 'report', 'required'] as const
export type ProofMode = (typeof PROOF_MODES)[number]

export const PROOF_PARTS = [
  /** A call that names a user carries a token that the app's own server signed for that user. */
  'userToken',
  /** A call of an installation carries the token that the answer to its identify had. */
  'deviceProof',
] as const
export type ProofPart = (typeof PROOF_PARTS)[number]
export type ProofModes = Record<ProofPart, ProofMode>

export const PROOF_ENVIRONMENTS = ['live', 'test'] as const
export type ProofEnvironment = (typeof PROOF_ENVIRONMENTS)[number]
/** As stored: what is not named is off. */
export type StoredProofModes = Partial<Record<ProofEnvironment, Partial<ProofModes>>>

/** No proof is asked for; also used for callers that need none. */
export const NO_PROOFS: ProofModes = { userToken: 'off', deviceProof: 'off' }

/** The switches of one environment. */
export function proofModes(stored: StoredProofModes, environment: ProofEnvironment): ProofModes {
  return { ...NO_PROOFS, ...stored[environment] }
}

/** How the check of a proof ended. With `required` a call is refused, or answered as to an unknown installation, unless it is `proven`. */
export const USER_TOKEN_FAULTS = ['expired', 'signature', 'audience', 'subject', 'algorithm', 'unknown_key', 'too_long', 'device'] as const
export type UserTokenFault = (typeof USER_TOKEN_FAULTS)[number]
export type UserTokenOutcome = 'proven' | 'missing' | UserTokenFault
export type DeviceProofOutcome = 'proven' | 'missing' | 'wrong' | 'unbound'
export type ProofOutcome = UserTokenOutcome | DeviceProofOutcome
export const PROOF_OUTCOMES: readonly ProofOutcome[] = ['proven', 'missing', ...USER_TOKEN_FAULTS, 'wrong', 'unbound']
