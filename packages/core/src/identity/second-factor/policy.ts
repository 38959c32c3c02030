/** Which members of a workspace sign in with a second factor. */
export const SECOND_FACTOR_POLICIES = ['off', 'admins', 'all'] as const
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number]

/**
 * What was proved in a session: a password, a code of an authenticator app or a recovery code, a passkey, that a provider
 * vouched for the person, and that the provider says it asked for more than one thing.
 */
export type SignInMethod = 'pwd' | 'otp' | 'webauthn' | 'sso' | 'mfa'

const SECOND: readonly string[] = ['otp', 'webauthn', 'mfa'] satisfies SignInMethod[]

/** A passkey alone is enough: it takes the device, and its owner's finger, face or PIN. */
export function hasSecondFactor(methods: readonly string[]): boolean {
  return methods.some((method) => SECOND.includes(method))
}

export function lacksSecondFactor(policy: SecondFactorPolicy, isAdmin: boolean, methods: readonly string[]): boolean {
  return (policy === 'all' || (policy === 'admins' && isAdmin)) && !hasSecondFactor(methods)
}

/** The stricter of two: a linked sandbox asks for what its workspace asks for. */
export function strictestPolicy(policies: readonly SecondFactorPolicy[]): SecondFactorPolicy {
  return SECOND_FACTOR_POLICIES.findLast((policy) => policies.includes(policy)) ?? 'off'
}
