/** Who a provider says has signed in: the code is exchanged, and every token checked. */
import { readEmail, readName } from '@contentflow/core/identity/contact.ts'
import { readGroups } from '@contentflow/core/sign-in/groups.ts'
import { idTokenFault, isSubject } from '@contentflow/core/sign-in/tokens.ts'
import type { Context } from '../../../../context.ts'
import type { SignInState } from './passing-cookies.ts'
import { oidc, type ProviderCalls } from './provider-calls.ts'
import { asking, SignInError } from './provider-errors.ts'
import type { Provider } from './providers.ts'

type Claims = Readonly<Record<string, unknown>>
export type PersonAtProvider = {
  subject: string
  /** Of Microsoft, whose `sub` is another one for each application: by what its directory knows them. */
  objectId: string | undefined
  /** What the provider says their address is; it identifies nobody. */
  email: string | undefined
  isEmailVerified: boolean
  name: string
  groups: readonly string[]
  sid: string | null
  /** Whether the provider says that it asked for a second factor. */
  isMultiFactor: boolean
  idToken: string
}

/** `query`: with which the provider sent the browser back. Throws `SignInError`, and what `isAway` knows. */
export async function readPerson(
  { ctx, calls }: { ctx: Context; calls: ProviderCalls },
  provider: Provider,
  state: SignInState,
  query: string,
): Promise<PersonAtProvider> {
  const configuration = await calls.configuration(provider)
  const checks = { expectedState: state.state, expectedNonce: state.nonce, pkceCodeVerifier: state.verifier, idTokenExpected: true }
  const back = new URL(`${state.redirectUri}?${query}`)
  const tokens = await asking(() => oidc().authorizationCodeGrant(configuration, back, checks))
  const { id_token: idToken = '', access_token: accessToken } = tokens
  // The library takes what the provider sent over its own connection; whether the provider signed it is asked here.
  const claims: Claims = await calls.readToken(provider, idToken)
  const now = Math.floor(ctx.clock.ms() / 1000)
  const fault = idTokenFault(claims, { clientId: provider.clientId, nonce: state.nonce, now })
  if (fault !== undefined) throw new SignInError('sso_failed', `the claim ${fault} of the token is not right`)
  const subject = String(claims['sub'])
  const inToken = readGroups(claims, provider.groupsClaim)
  if (inToken.isTooMany) throw new SignInError('too_many_groups', 'the provider left the groups out of its token')
  const isWhole = claims['email'] !== undefined && (inToken.groups !== undefined || provider.mapping.length === 0)
  const told: Claims =
    isWhole || configuration.serverMetadata().userinfo_endpoint === undefined
      ? claims
      : { ...(await asking(() => oidc().fetchUserInfo(configuration, accessToken, subject))), ...claims }
  const groups = readGroups(told, provider.groupsClaim)
  if (groups.isTooMany) throw new SignInError('too_many_groups', 'the provider left the groups out of its answer')
  const email = readEmail(told['email'])
  return {
    subject,
    objectId: isSubject(claims['oid']) ? claims['oid'] : undefined,
    email: email ?? readEmail(told['preferred_username']) ?? readEmail(told['upn']),
    // Only that very word: what anybody may write into their own record is not proved.
    isEmailVerified: email !== undefined && told['email_verified'] === true,
    name: readName(told['name']) ?? email ?? '',
    groups: groups.groups ?? [],
    sid: isSubject(claims['sid']) ? claims['sid'] : null,
    isMultiFactor: Array.isArray(claims['amr']) && claims['amr'].includes('mfa'),
    idToken,
  }
}
