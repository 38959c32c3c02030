import { OutboundError } from '../../../../infra/outbound/outbound.ts'

/** What the sign-in page says of a sign-in that came to nothing. */
export type SignInFault = 'sso_failed' | 'sso_away' | 'not_assigned' | 'domain_not_verified' | 'link_required' | 'too_many_groups'

/** A sign-in that goes no further. `why`: for the log, without anything that a provider or a person wrote. */
export class SignInError extends Error {
  readonly fault: SignInFault
  constructor(fault: SignInFault, why: string) {
    super(why)
    this.fault = fault
  }
}

/** The provider does not answer, or says itself that it cannot just now. */
export class ProviderAwayError extends Error {}

/** Asks a provider: what goes wrong with it is one of the two errors above, whatever a library makes of it. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const causes = causesOf(error)
    const told = causes.find((each) => each instanceof SignInError)
    if (told) throw told
    if (causes.some(isAway)) throw new ProviderAwayError('the provider does not answer', { cause: error })
    const { code } = (error ?? {}) as { code?: unknown }
    throw new SignInError('sso_failed', typeof code === 'string' ? code : 'the answer of the provider cannot be read')
  }
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && at !== null && causes.length < MOST_CAUSES; at = (at as { cause?: unknown }).cause)
    causes.push(at)
  return causes
}
const MOST_CAUSES = 6

/** Whether an error comes from a provider that is away, rather than from one that says no. */
export function isAway(error: unknown): boolean {
  return error instanceof ProviderAwayError || error instanceof OutboundError
}
