/** What is asked of providers: where their pages are, who signed in, and with which keys they sign. All calls go by `ctx.outbound`. */
import type { Configuration } from 'openid-client'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import { issuerFault } from '@contentflow/core/sign-in/provider.ts'
import type { Context } from '../../../../context.ts'
import { GenerationalCache } from '../../../../infra/cache/generational-cache.ts'
import { lazyPackage } from '../../../../infra/lazy-package.ts'
import { asking, ProviderAwayError, SignInError } from './provider-errors.ts'
import type { Provider } from './providers.ts'

export const oidc = lazyPackage((require) => require('openid-client') as typeof import('openid-client'))
const jose = lazyPackage((require) => require('jose') as typeof import('jose'))

/** How a provider signs: never with a secret that it shares with us, and never not at all. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
const TOLERANCE_SECONDS = 60
const KNOWN_PROVIDERS = 1_000
/** For so long what was read of a provider is taken as it was; then it is read again, and kept where it cannot be. */
const FRESH_MS = 300_000
/** A key that is not known may have been made just now: looked for so often in a minute, as anybody may name keys that there are not. */
const [LOOKS_AGAIN, LOOKS_WITHIN_MS] = [10, 60_000]

/** Where a provider is, and what its tokens say. */
export type ProviderCalls = {
  configuration(provider: Provider): Promise<Configuration>
  /** The claims of a token that this provider signed for us. Throws when it is none; `ProviderAwayError` when nobody can say. */
  readToken(provider: Provider, token: string): Promise<JWTPayload>
}

type Read<What> = { what: What; at: number }

export function openProviderCalls(ctx: Context): ProviderCalls {
  const configurations = openReader<Configuration>((provider) => asking(() => discover(ctx, provider)))
  const readKeys = async (provider: Provider) => {
    const { jwks_uri: address } = (await configurations.read(provider)).serverMetadata()
    if (address === undefined) throw new SignInError('sso_failed', 'the provider names no keys')
    const answer = await fetchOf(ctx, provider)(address, { method: 'GET', headers: { accept: 'application/json' } })
    if (answer.status !== 200) throw new ProviderAwayError('the keys of the provider cannot be read')
    return (await answer.json()) as JSONWebKeySet
  }
  const keySets = openReader<JSONWebKeySet>((provider) => asking(() => readKeys(provider)))
  return {
    configuration: (provider) => configurations.read(provider),
    readToken: async (provider, token) => {
      const { issuer } = (await configurations.read(provider)).serverMetadata()
      const check = async (keys: JSONWebKeySet) => {
        const { payload } = await jose().jwtVerify(token, jose().createLocalJWKSet(keys), {
          issuer,
          audience: provider.clientId,
          algorithms: ALGORITHMS,
          clockTolerance: TOLERANCE_SECONDS,
          currentDate: ctx.clock.now(),
          requiredClaims: ['iat'],
        })
        return payload
      }
      const keys = await keySets.read(provider)
      return asking(async () => {
        try {
          return await check(keys)
        } catch (error) {
          if (!(error instanceof jose().errors.JWKSNoMatchingKey)) throw error
          return check(await keySets.readAgain(provider))
        }
      })
    },
  }
}

/** Reads something of a provider and keeps it; the last that was read stays where the provider is away. */
function openReader<What>(load: (provider: Provider) => Promise<What>) {
  const known = new GenerationalCache<string, Read<What>>(KNOWN_PROVIDERS)
  const loading = new Map<string, Promise<What>>()
  const nameOf = ({ id, version }: Provider) => `${id} ${version}`
  const windows = new GenerationalCache<string, { since: number; count: number }>(KNOWN_PROVIDERS)
  const windowOf = (name: string) => {
    const known = windows.get(name)
    if (known && performance.now() - known.since < LOOKS_WITHIN_MS) return known
    const fresh = { since: performance.now(), count: 0 }
    windows.set(name, fresh)
    return fresh
  }
  const loadOnce = (provider: Provider): Promise<What> => {
    const name = nameOf(provider)
    const under = loading.get(name)
    if (under) return under
    const fresh = load(provider)
      .then((what) => {
        known.set(name, { what, at: performance.now() })
        return what
      })
      .finally(() => loading.delete(name))
    loading.set(name, fresh)
    return fresh
  }
  return {
    read: async (provider: Provider): Promise<What> => {
      const found = known.get(nameOf(provider))
      if (found && performance.now() - found.at < FRESH_MS) return found.what
      if (!found) return loadOnce(provider)
      return loadOnce(provider).catch(() => found.what)
    },
    readAgain: async (provider: Provider): Promise<What> => {
      const found = known.get(nameOf(provider))
      const looks = windowOf(nameOf(provider))
      if (found && looks.count >= LOOKS_AGAIN) return found.what
      looks.count++
      return loadOnce(provider)
    },
  }
}

async function discover(ctx: Context, provider: Provider): Promise<Configuration> {
  const lib = oidc()
  const fault = issuerFault(provider.issuer, ctx.config.isPrivateAllowed)
  if (fault !== undefined) throw new SignInError('sso_failed', `the issuer ${fault}`)
  const { clientId, clientSecret } = provider
  const issuer = new URL(provider.issuer)
  // Only of this machine, and only where it may be called at all.
  const isPlain = issuer.protocol === 'http:'
  const fetch = fetchOf(ctx, provider)
  const options = { [lib.customFetch]: fetch, ...(isPlain && { execute: [lib.allowInsecureRequests] }) }
  const metadata = { [lib.clockTolerance]: TOLERANCE_SECONDS }
  const found = await lib.discovery(issuer, clientId, metadata, lib.None(), options)
  if (clientSecret === null) return found
  const server = found.serverMetadata()
  // A provider that says nothing of it takes the header (OpenID Connect Discovery, section 3).
  const isInBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
  const byItself = isInBody ? lib.ClientSecretPost(clientSecret) : lib.ClientSecretBasic(clientSecret)
  const configuration = new lib.Configuration(server, clientId, metadata, byItself)
  configuration[lib.customFetch] = fetch
  if (isPlain) lib.allowInsecureRequests(configuration)
  return configuration
}

/** What `openid-client` calls instead of `fetch`. An answer that is too long is none. */
function fetchOf({ outbound }: Context, { workspaceId }: Provider) {
  return async (url: string, options: FetchOptions): Promise<Response> => {
    const { method, headers, body, signal } = options
    const answer = await outbound.send({
      kind: 'sign-in',
      asker: workspaceId ?? '',
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers },
      // A form, or nothing: the library sends no other bodies to providers.
      ...((typeof body === 'string' || body instanceof URLSearchParams) && { body: body.toString() }),
      ...(signal && { signal }),
    })
    if (answer.isCut) throw new SignInError('sso_failed', 'the answer of the provider is too long')
    if (answer.status >= 500) throw new ProviderAwayError(`the provider answered ${answer.status}`)
    const said = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) said.set(name, String(value))
    return new Response([204, 205, 304].includes(answer.status) ? null : answer.text, { status: answer.status, headers: said })
  }
}

type FetchOptions = { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal }
