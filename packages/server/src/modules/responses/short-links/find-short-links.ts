/** Where short links lead, for the lane that answers them: held in memory within a bound, and looked up for few at a time. */
import type { IncomingMessage } from 'node:http'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MINUTE_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { callerOf } from '../../../http/callers/caller-address.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { Semaphore } from '../../../infra/concurrency/fair-limiter.ts'
import type { FollowedLink } from '../tracked-links.ts'
import { findShortLink, findWorkspaceOfSlug } from './queries-short-links.ts'

/** `counted`: undefined where nothing is counted. `until`: when it is looked up again, `expiresAt`: when it ends; milliseconds. */
export type ShortLink = { url: string; counted: FollowedLink | undefined; until: number; expiresAt: number }

/** `busy`: too many look-ups are under way. `refused`: this address asked for too many that are not there. */
type Found = ShortLink | 'unknown' | 'busy' | 'refused'

type ShortLinks = {
  /** Undefined: `find` says. */
  peek(slug: string, code: string): ShortLink | undefined
  /** Throws when the database cannot be asked and nothing is known. */
  find(request: IncomingMessage, slug: string, code: string): Promise<Found>
}

/** Characters of addresses that are held, and about what else an entry takes. */
const [MEMORY, OF_ENTRY] = [16_000_000, 300]
/** Whoever is erased has gone from memory after this time. */
const HELD_MS = 10 * MINUTE_MS
const [SLUGS_HELD, CALLERS_HELD] = [10_000, 50_000]
/** Look-ups side by side, those that wait, and those of one address: a crowd that guesses takes no more of the database. */
const [LOOKUPS, MOST_WAITING, MOST_OF_ONE] = [4, 1_000, 64]

/** Of one address: links that were not there, until the minute is over, and look-ups that are under way. */
type Asker = { missed: number; endsAt: number; asking: number }

export function openShortLinks(ctx: Context): ShortLinks {
  const { db, clock, config } = ctx
  const links = new GenerationalCache<string, ShortLink>(MEMORY, ({ url }) => url.length + OF_ENTRY)
  const slugs = new GenerationalCache<string, string>(SLUGS_HELD)
  const askers = new GenerationalCache<string, Asker>(CALLERS_HELD)
  const running = new Map<string, Promise<ShortLink | undefined>>()
  const lookups = new Semaphore(LOOKUPS)

  const lookUp = async (slug: string, code: string): Promise<ShortLink | undefined> => {
    const workspaceId = slugs.get(slug) ?? (await findWorkspaceOfSlug(db, slug))
    if (workspaceId === undefined) return undefined
    slugs.set(slug, workspaceId)
    const stored = await findShortLink(db, workspaceId, code)
    const now = clock.ms()
    if (!stored || stored.expiresAt.getTime() <= now) return undefined
    const { dispatchId, profileId, variantId, node, url, madeAt } = stored
    const isCounted = profileId !== null && variantId !== null
    return {
      url,
      counted: isCounted ? { workspaceId, dispatchId, profileId, variantId, node, url, sentAt: madeAt.getTime() } : undefined,
      until: now + HELD_MS,
      expiresAt: stored.expiresAt.getTime(),
    }
  }
  const lookUpOnce = async (slug: string, code: string): Promise<ShortLink | undefined> => {
    const key = slug + code
    const before = running.get(key)
    if (before) return before
    const looking = lookups.take(() => lookUp(slug, code)).finally(() => running.delete(key))
    running.set(key, looking)
    return looking
  }
  const askerOf = (caller: string): Asker => {
    const known = askers.get(caller)
    if (known && clock.ms() < known.endsAt) return known
    const next = { missed: 0, endsAt: clock.ms() + MINUTE_MS, asking: 0 }
    askers.set(caller, next)
    return next
  }
  return {
    peek: (slug, code) => {
      const known = links.get(slug + code)
      return known && clock.ms() < Math.min(known.until, known.expiresAt) ? known : undefined
    },
    find: async (request, slug, code) => {
      const key = slug + code
      const asker = askerOf(callerOf(request, config.trustedProxies))
      if (asker.missed >= LIMITS.shortLinkMissesPerMinute) return 'refused'
      if (asker.asking >= MOST_OF_ONE || (running.size >= MOST_WAITING && !running.has(key))) return 'busy'
      asker.asking++
      try {
        const found = await lookUpOnce(slug, code)
        if (found) {
          links.set(key, found)
          return found
        }
      } catch (error) {
        // An address that was right some minutes ago is right while the database is away.
        const known = links.get(key)
        if (known && clock.ms() < known.expiresAt) return known
        throw error
      } finally {
        asker.asking--
      }
      links.delete(key)
      asker.missed++
      return 'unknown'
    },
  }
}
