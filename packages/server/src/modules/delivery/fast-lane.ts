/**
 * HOT PATH. Answers the plain case of GET /sync and GET /blocks/{key} before the framework sees the request:
 * a known key in X-CF-Key, no other workspace named, both rates with something left, snapshot and device view
 * in memory. Everything else, every refusal included, takes the long way, which decides by the same functions.
 *
 * Measured on one core (8.6 kB answers): 0.70 of a bare server through the framework, see bench/RESULTS.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/caller.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Reading } from './reading.ts'

export type FastLane = (request: IncomingMessage, response: ServerResponse) => boolean

const SYNC = '/sdk/v1/sync'
const BLOCKS = '/sdk/v1/blocks/'
/** What may follow: nothing, or a locale that needs no decoding. */
const PLAIN = /^(?:([a-z0-9_]+))?(?:\?locale=([A-Za-z0-9-]{2,35}))?$/

export function openFastLane(
  ctx: Context,
  limiter: RateLimiter,
  recall: (key: string) => AppCaller | undefined,
  reading: Reading,
): FastLane {
  return (request, response) => {
    if (request.method !== 'GET') return false
    const url = request.url ?? ''
    let blockKey: string | undefined
    let locale: string | undefined
    if (url !== SYNC) {
      const isSync = url.startsWith(SYNC)
      const plain = isSync || url.startsWith(BLOCKS) ? PLAIN.exec(url.slice(isSync ? SYNC.length : BLOCKS.length)) : null
      if (!plain || isSync === (plain[1] !== undefined)) return false
      blockKey = plain[1]
      locale = plain[2]
    }
    const { headers } = request
    const key = headers['x-cf-key']
    const caller = typeof key === 'string' ? recall(key) : undefined
    if (!caller) return false
    const tenant = headers['x-tenant-id']
    if (tenant !== undefined && tenant !== caller.ownerId) return false
    const ready = reading.ready(caller, headers['x-cf-device'], blockKey)
    if (!ready) return false
    const rate = { limit: 0, remaining: 0 }
    if (!limiter.spendAtOnce(caller, request, rate, ctx.clock.ms())) return false
    reading.write(request, response, caller, caller.requestsPerMinute === null ? null : rate, ready, locale)
    return true
  }
}
