/**
 * HOT PATH. Answers the plain case of GET /sync, GET /blocks/{key}, GET /strings, GET /locales and POST /campaigns before
 * the framework sees the request: a known key in X-CF-Key, no other workspace named, both rates with something left, and what the
 * answer needs in memory. Everything else, every refusal included, takes the long way, which decides by the same functions.
 *
 * Measured on one core (8.6 kB answers): 0.70 of a bare server through the framework, see bench/RESULTS.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { readBody } from '../../http/bodies/body.ts'
import { isFromAllowedNetwork, isFromAllowedOrigin } from '../../http/callers/auth.ts'
import { isAscii } from '../../http/callers/device-id.ts'
import type { Answer, Exchange } from '../../http/answers/finished-answer.ts'
import type { FastLane } from '../../http/node-server.ts'
import type { Rate, RateLimiter } from '../../http/rates/rate-limit.ts'
import { whenTogether } from '../../http/bodies/receive-body.ts'
import { asksForRefusal } from '../../http/simulate.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import type { Read, ReadTurns } from './answers/read-turns.ts'
import type { DeliveryReader } from './answers/reading.ts'
import { readContext, type CampaignContext } from './routes-campaigns.ts'

const ROOT = '/sdk/v1/'
const SYNC = '/sdk/v1/sync'
const BLOCKS = '/sdk/v1/blocks/'
const CAMPAIGNS = '/sdk/v1/campaigns'
/** The rest of a plain address: a block key or a locale that needs no decoding, or neither. */
const PLAIN = /^(?:([a-z0-9_]+))?(?:\?locale=([A-Za-z0-9-]{2,35}))?$/

/** Finished answers that depend on the workspace, the environment and the language alone. */
export type FinishedReads<Asked> = {
  /** What a plain address reads; undefined when it reads something else, or needs decoding. */
  plain(url: string): Asked | undefined
  ready(caller: AppCaller, acceptLanguage: string | undefined, asked: Asked): Answer | undefined
  write(exchange: Exchange, asked: Asked, answer: Answer): void
}

export function openFastLane<Asked>(
  ctx: Context,
  limiter: RateLimiter,
  recall: (key: string) => AppCaller | undefined,
  { reading, turns }: { reading: DeliveryReader; turns: ReadTurns },
  texts: FinishedReads<Asked>,
): FastLane {
  const readCampaignContext = openContexts()
  const callerOf = (request: IncomingMessage): AppCaller | undefined => {
    const { headers } = request
    const key = headers['x-cf-key']
    const caller = typeof key === 'string' ? recall(key) : undefined
    if (!caller || asksForRefusal(caller, headers['x-cf-simulate']) || !isFromAllowedOrigin(caller, headers.origin)) return undefined
    if (!isFromAllowedNetwork(ctx, caller, request)) return undefined
    const tenant = headers['x-tenant-id']
    if (tenant !== undefined && tenant !== caller.ownerId) return undefined
    caller.noteUse?.(request)
    return caller
  }
  /** The rate for the headers, `undefined` for a workspace without one; false leaves the request to the framework. */
  const spend = (caller: AppCaller, request: IncomingMessage): Rate | undefined | false => {
    const rate = { limit: 0, remaining: 0 }
    if (!limiter.spendAtOnce(caller, request, rate, ctx.clock.ms())) return false
    return caller.requestsPerMinute === null ? undefined : rate
  }
  const serveText = (request: IncomingMessage, response: ServerResponse, asked: Asked, began: number): boolean => {
    const caller = callerOf(request)
    const answer = caller && texts.ready(caller, request.headers['accept-language'], asked)
    if (!caller || !answer) return false
    const rate = spend(caller, request)
    if (rate === false) return false
    texts.write({ request, response, caller, rate, began }, asked, answer)
    return true
  }
  const answerRead = (request: IncomingMessage, response: ServerResponse, began: number): boolean => {
    const url = request.url ?? ''
    let blockKey: string | undefined
    let locale: string | undefined
    if (url !== SYNC) {
      const isSync = url.startsWith(SYNC)
      if (!isSync && !url.startsWith(BLOCKS)) {
        const asked = texts.plain(url)
        return asked !== undefined && serveText(request, response, asked, began)
      }
      const plain = PLAIN.exec(url.slice(isSync ? SYNC.length : BLOCKS.length))
      if (!plain || isSync === (plain[1] !== undefined)) return false
      blockKey = plain[1]
      locale = plain[2]
    }
    const caller = callerOf(request)
    const device = request.headers['x-cf-device']
    const ready = caller && isAscii(device) && reading.ready(caller, device, blockKey)
    if (!caller || !ready) return false
    const rate = spend(caller, request)
    if (rate === false) return false
    reading.write({ request, response, caller, rate, began }, ready, locale)
    return true
  }
  const answerCampaigns = (request: IncomingMessage, response: ServerResponse, body: Buffer, began: number): boolean => {
    const caller = callerOf(request)
    const asked = caller && readCampaignContext(body)
    const device = request.headers['x-cf-device']
    // A request that names a user may have to prove it.
    const isPlain = asked && !(asked.namesUser && caller.proofs.userToken !== 'off')
    const ready = isPlain && isAscii(device) && reading.readyCampaigns(caller, device?.toString() || asked.deviceId)
    const rate = ready ? spend(caller, request) : false
    if (!ready || rate === false) return false
    const { placementId } = asked
    const acceptLanguage = request.headers['accept-language']
    reading.writeCampaigns({ request, response, caller, rate, began }, ready, { placementId, acceptLanguage })
    // A connection is free for the next request only when its body was read to the end.
    request.resume()
    return true
  }
  /** An error here leaves the request to the framework, where it happens again and is answered and logged. */
  const isAnswered = ({ request, response, body, began }: Read): boolean => {
    try {
      return body ? answerCampaigns(request, response, body, began) : answerRead(request, response, began)
    } catch (error) {
      ctx.log.error({ err: error }, 'a read failed on the short way')
      return response.headersSent
    }
  }
  const answer = (read: Read): void => {
    const { request, response, body, fallback } = read
    if (isAnswered(read)) return
    if (body) request.unshift(body)
    fallback(request, response)
  }
  return (request, response, fallback) => {
    const { method, url = '' } = request
    if (!url.startsWith(ROOT)) return false
    const began = performance.now()
    const take = (body: Buffer | undefined) => turns.take({ request, response, body, began, fallback, answer })
    if (method === 'POST' && url === CAMPAIGNS) return whenTogether(request, (body) => (body ? take(body) : fallback(request, response)))
    if (method !== 'GET') return false
    take(undefined)
    return true
  }
}

/** Bodies of POST /campaigns that are remembered with what they ask for: an app says the same each time. Longer ones hold what changes. */
const [BODIES_HELD, BODY_LENGTH] = [2_000, 512]

function openContexts(): (bytes: Buffer) => CampaignContext | undefined {
  const known = new GenerationalCache<string, CampaignContext>(BODIES_HELD)
  return (bytes) => {
    if (bytes.length > BODY_LENGTH) return contextOf(bytes)
    const name = bytes.toString('latin1')
    const found = known.get(name)
    if (found) return found
    const context = contextOf(bytes)
    if (context) known.set(name, context)
    return context
  }
}

/** Undefined for what is refused: the long way says why. */
function contextOf(bytes: Buffer): CampaignContext | undefined {
  try {
    return readContext(readBody(bytes))
  } catch {
    return undefined
  }
}
