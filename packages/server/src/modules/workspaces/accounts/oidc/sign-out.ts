/** Signing out at a provider: by the person, or by the provider for all of its applications. */
import { logoutTokenFault } from '@contentflow/core/sign-in/tokens.ts'
import type { Context } from '../../../../context.ts'
import { failWith } from '../../../../errors.ts'
import { hashSecret } from '../../../../infra/secrets/crypto.ts'
import { logOut } from '../sign-in/sessions.ts'
import type { SignInParts } from './sign-in-at-provider.ts'
import { placeOfIdToken } from './sign-in-at-provider.ts'
import { oidc, type ProviderCalls } from './provider-calls.ts'
import { isAway, SignInError } from './provider-errors.ts'
import { findProvider, type Provider } from './providers.ts'
import { deleteProviderSessions, findProviderSession, useOnce, type ProviderSession } from './queries-providers.ts'

/** How long the id of a token is remembered; older tokens are refused by their time. */
const TOKEN_MS = 600_000

/** Ends the session, and says where the browser signs out at its provider, if it came from one that has such a page. */
export async function signOut(parts: SignInParts, tokenHash: string, publicUrl: string): Promise<{ signOutUrl?: string }> {
  const session = await findProviderSession(parts.ctx.db, tokenHash)
  await logOut(parts.ctx, tokenHash)
  if (!session) return {}
  const signOutUrl = await addressOfSignOut(parts, session, publicUrl)
  return signOutUrl === undefined ? {} : { signOutUrl }
}

async function addressOfSignOut({ ctx, calls }: SignInParts, session: ProviderSession, publicUrl: string): Promise<string | undefined> {
  try {
    const provider = await findProvider(ctx, session.providerId)
    const configuration = provider && (await calls.configuration(provider))
    if (!provider || configuration?.serverMetadata().end_session_endpoint === undefined) return undefined
    const hint = session.idTokenSealed && ctx.secrets.open(session.idTokenSealed, placeOfIdToken(session.subject))
    return oidc().buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${publicUrl}/sign-in`,
      ...(hint ? { id_token_hint: hint } : { client_id: provider.clientId }),
    }).href
  } catch (error) {
    if (!isAway(error) && !(error instanceof SignInError)) throw error
    // The own session has ended; that at a provider that is away goes on there.
    return undefined
  }
}

/** The provider says that somebody signed out: ends what it names. A token counts once. */
export async function takeLogoutToken(
  { ctx, calls }: { ctx: Context; calls: ProviderCalls },
  provider: Provider,
  token: string,
): Promise<void> {
  const claims = await readLogoutToken(calls, provider, token)
  const now = Math.floor(ctx.clock.ms() / 1000)
  const fault = logoutTokenFault(claims, now) ?? (Number(claims['iat']) * 1000 < ctx.clock.ms() - TOKEN_MS ? 'iat' : undefined)
  if (fault !== undefined) failWith(400, `logout_token: ${fault} is not right`)
  const { jti, sid, sub } = claims as { jti: string; sid?: string; sub?: string }
  const isFirst = await useOnce(
    ctx.db,
    hashSecret(JSON.stringify(['logout', provider.id, jti])),
    ctx.clock.now(),
    new Date(ctx.clock.ms() + 2 * TOKEN_MS),
  )
  if (!isFirst) failWith(400, 'logout_token: it was used before')
  await deleteProviderSessions(ctx.db, provider.id, { ...(sid !== undefined && { sid }), ...(sub !== undefined && { subject: sub }) })
}

async function readLogoutToken(calls: ProviderCalls, provider: Provider, token: string) {
  try {
    return await calls.readToken(provider, token)
  } catch (error) {
    if (error instanceof SignInError) return failWith(400, 'logout_token: this provider did not sign it for us')
    if (isAway(error)) return failWith(503, 'The keys of the provider cannot be read just now, please try again')
    throw error
  }
}
