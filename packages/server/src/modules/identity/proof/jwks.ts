/**
 * Sets of public keys at addresses that admins typed. A set is kept, and fetched again when a token names a key that is not in it.
 * While its server is away the last set that could be read is used.
 */
import type { CryptoKey, JWK } from 'jose'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { lazyPackage } from '../../../infra/lazy-package.ts'

const jose = lazyPackage((require) => require('jose') as typeof import('jose'))

/** A set is fetched again after `KEPT_MS`. For a key that it lacks, or after a failure, it is fetched again after `AGAIN_MS` at the earliest. */
const [KEPT_MS, AGAIN_MS] = [600_000, 30_000]
/** Sets held by this process. */
const HELD = 1_000
/** So many keys of a set are read at most. */
const KEYS_OF_SET = 100

/** `keys`: by their kid; undefined until the first answer. `hasFailed`: whether the last fetch failed. */
type CachedKeySet = {
  keys: ReadonlyMap<string, CryptoKey> | undefined
  goodAt: number
  askedAt: number
  hasFailed: boolean
  asking: Promise<void> | undefined
}

/** The key with this kid; for a token without a kid the only key of the set. Undefined: the set has none. 503 when the set cannot be read. */
export type FindInJwks = (name: string, url: string, kid: string | undefined) => Promise<CryptoKey | undefined>

export function openJwks(ctx: Pick<Context, 'outbound' | 'clock' | 'log'>): FindInJwks {
  const sets = new GenerationalCache<string, CachedKeySet>(HELD)
  const ask = async (held: CachedKeySet, url: string): Promise<void> => {
    held.askedAt = ctx.clock.ms()
    try {
      held.keys = await fetchKeys(ctx, url)
      held.goodAt = ctx.clock.ms()
      held.hasFailed = false
    } catch (error) {
      held.hasFailed = true
      ctx.log.warn({ err: error }, 'a JWKS could not be read; the last one that could goes on being used')
    }
  }
  return async (name, url, kid) => {
    const held = sets.get(name) ?? { keys: undefined, goodAt: 0, askedAt: -Infinity, hasFailed: false, asking: undefined }
    sets.set(name, held)
    const now = ctx.clock.ms()
    const isOld = held.keys === undefined || now - held.goodAt > KEPT_MS
    if ((isOld || !pick(held, kid)) && (held.asking || now - held.askedAt >= AGAIN_MS))
      await (held.asking ??= ask(held, url).finally(() => (held.asking = undefined)))
    const found = pick(held, kid)
    if (!found && (held.hasFailed || held.keys === undefined))
      fail('UPSTREAM_UNAVAILABLE', { retryAfter: 5, message: 'The keys of user tokens cannot be read just now, please try again' })
    return found
  }
}

function pick({ keys }: CachedKeySet, kid: string | undefined): CryptoKey | undefined {
  if (kid !== undefined) return keys?.get(kid)
  return keys?.size === 1 ? keys.values().next().value : undefined
}

/** The keys of a set that are for ES256; others are left out. */
async function fetchKeys({ outbound, log }: Pick<Context, 'outbound' | 'log'>, url: string): Promise<Map<string, CryptoKey>> {
  const answer = await outbound.send({ kind: 'jwks', url, method: 'GET', headers: { accept: 'application/json' } })
  if (answer.status !== 200 || answer.isCut)
    throw new Error(`the JWKS was answered with ${answer.status}${answer.isCut ? ' and is too long' : ''}`)
  const { keys } = JSON.parse(answer.text) as { keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('the answer is no JWKS')
  const found = new Map<string, CryptoKey>()
  for (const each of keys.slice(0, KEYS_OF_SET) as unknown[]) {
    const jwk = publicP256(each)
    const kid = (each as { kid?: unknown } | null)?.kid
    if (!jwk || typeof kid !== 'string') continue
    try {
      const key = await jose().importJWK(jwk, 'ES256')
      if (!(key instanceof Uint8Array)) found.set(kid, key)
    } catch (error) {
      log.warn({ err: error }, 'a key of a JWKS is no point of its curve and is passed over')
    }
  }
  return found
}

/** The public part of a JWK on P-256 that may sign with ES256; undefined for any other. */
export function publicP256(value: unknown): JWK | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { kty, crv, x, y, use = 'sig', alg = 'ES256' } = value as Record<string, unknown>
  if (kty !== 'EC' || crv !== 'P-256' || use !== 'sig' || alg !== 'ES256') return undefined
  return typeof x === 'string' && typeof y === 'string' ? { kty, crv, x, y } : undefined
}
