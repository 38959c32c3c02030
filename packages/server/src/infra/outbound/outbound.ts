/**
 * Calls machines whose address somebody else named. Nothing else opens such connections, so nobody reaches through this
 * server what only this server can reach: each address is checked where it is connected to, redirects are answers like
 * any other, and nobody's machine holds anybody else's calls.
 */
import { Resolver, lookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Agent, buildConnector } from 'undici'
import { faultOfUrl, hostOf, isLocalHost, isPublicAddress, plainHost, readTarget, type Target } from './addresses.ts'
import { Exchanges, type Answer } from './exchanges.ts'
import { GenerationalCache } from '../cache/generational-cache.ts'
import { withDeadline } from '../deadline.ts'
import { FairLimiter } from '../concurrency/fair-limiter.ts'
import { lazyPackage } from '../lazy-package.ts'
import type { Metrics } from '../metrics.ts'

/** `kind`: of what the call is, for the metrics. `asker`: the workspace it is made for. `isHttp2`: where the other side speaks it. */
type Call = {
  kind: string
  asker?: string
  url: string
  method: 'GET' | 'POST' | 'HEAD'
  headers: Record<string, string>
  body?: string | Uint8Array
  isHttp2?: boolean
  signal?: AbortSignal
}

/** Why there is no answer. `isUnsent`: nothing of the call can have reached whoever was called. */
export class OutboundError extends Error {
  readonly outcome: CallOutcome
  readonly isUnsent: boolean
  constructor(outcome: CallOutcome, message: string, isUnsent = false) {
    super(message)
    this.outcome = outcome
    this.isUnsent = isUnsent
  }
}
type CallOutcome = 'refused' | 'unresolved' | 'timeout' | 'failed'

export type Outbound = {
  /** Why this address is not called, in words for whoever named it. A name that cannot be looked up just now may be called. */
  refusalOf(url: string): Promise<string | undefined>
  /** Every answer is one, whatever its status; throws `OutboundError` without one, and the signal's reason. */
  send(call: Call): Promise<Answer>
  /** A connection for what speaks another protocol than HTTP; whoever asks for it closes it. Throws `OutboundError`. */
  connect(to: { kind: string; host: string; port: number }): Promise<Socket>
  close(): Promise<void>
}

/** The addresses of a name. */
type Resolve = (name: string) => Promise<string[]>
type Parts = { isPrivateAllowed: boolean; metrics: Metrics; resolve?: Resolve }

const undici = lazyPackage((require) => require('undici') as typeof import('undici'))

const CONNECT_MS = 3_000
const ANSWER_MS = 10_000
/** Addresses of calls that are held as they were read: most calls of one kind go to few. */
const KNOWN_TARGETS = 1_000
/** Of one workspace, by kind of call: a provider takes the messages of many people, a server of somebody's is not to be flooded. */
const CALLS_PER_ORIGIN = new Map([['channel', 32]])
export const FEW_CALLS = 4
/** All workspaces together call one origin by so many times as much: one whose calls hang leaves room for the others. */
export const ORIGIN_SHARES = 4
const PRIVATE = 'is on a private network, which is not called'

/** Connections of one kind of call; each kind has its own, so that none waits behind another. */
type Line = { agent: Agent; http2Agent: Agent; inTurn: ReturnType<typeof limitByOrigin> }

export function openOutbound({ isPrivateAllowed, metrics, resolve = resolveName }: Parts): Outbound {
  const lookUp = async (name: string): Promise<string[]> => {
    const found = await resolve(name).catch(() => [])
    if (found.length === 0) throw new OutboundError('unresolved', 'The name of the host cannot be found', true)
    if (!isPrivateAllowed && !found.every(isPublicAddress)) throw refused()
    return found
  }
  const connector = (allowH2: boolean) => guardedConnector(isPrivateAllowed, lookUp, allowH2)
  const lines = new Map<string, Line>()
  const lineOf = (kind: string): Line => {
    const known = lines.get(kind)
    if (known) return known
    const each = CALLS_PER_ORIGIN.get(kind) ?? FEW_CALLS
    const connections = each * ORIGIN_SHARES
    const { Agent } = undici()
    const line = {
      agent: new Agent({ connect: connector(false), connections, allowH2: false }),
      http2Agent: new Agent({ connect: connector(true), connections, allowH2: true }),
      inTurn: limitByOrigin({ each, all: connections }),
    }
    lines.set(kind, line)
    return line
  }
  const count = (kind: string, outcome: string) => metrics.outbound.inc({ kind, outcome })

  const exchanges = new Exchanges(ANSWER_MS, () => new OutboundError('timeout', `No whole answer within ${ANSWER_MS / 1000} s`))
  const targets = new GenerationalCache<string, Target>(KNOWN_TARGETS)
  const targetOf = (url: string): Target => {
    const known = targets.get(url)
    if (known) return known
    const target = readTarget(url)
    if ('fault' in target) throw refused(target.fault)
    targets.set(url, target)
    return target
  }

  const exchange = async ({ kind, method, headers, body, isHttp2, signal }: Call, { origin, path }: Target): Promise<Answer> => {
    const { agent, http2Agent } = lineOf(kind)
    try {
      return await exchanges.send(
        isHttp2 ? http2Agent : agent,
        {
          origin,
          path,
          method,
          headers: { 'user-agent': 'ContentFlow', ...headers },
          body: body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        signal,
      )
    } catch (error) {
      signal?.throwIfAborted()
      throw toOutboundError(error)
    }
  }
  return {
    refusalOf: async (url) => {
      const fault = faultOfUrl(url)
      if (fault !== undefined || isPrivateAllowed) return fault
      const host = hostOf(url)
      if (isLocalHost(host)) return PRIVATE
      if (isIP(host) !== 0) return undefined
      const found = await withDeadline(CONNECT_MS, resolve(host)).catch(() => [])
      return found.every(isPublicAddress) ? undefined : PRIVATE
    },
    send: async (call) => {
      const began = performance.now()
      try {
        const target = targetOf(call.url)
        const answer = await lineOf(call.kind).inTurn(target.origin, call.asker ?? '', () => exchange(call, target))
        count(call.kind, `${Math.floor(answer.status / 100)}xx`)
        return answer
      } catch (error) {
        count(call.kind, error instanceof OutboundError ? error.outcome : 'stopped')
        throw error
      } finally {
        metrics.outboundTook.of({ kind: call.kind }).note(performance.now() - began)
      }
    },
    connect: async ({ kind, host, port }) => {
      const began = performance.now()
      try {
        const fault = faultOfUrl(`http://${host}:${port}/`)
        if (fault !== undefined) throw refused(fault)
        const socket = await openSocket(connector(false), host, port)
        count(kind, 'connected')
        return socket
      } catch (error) {
        const known = toOutboundError(error)
        count(kind, known.outcome)
        throw known
      } finally {
        metrics.outboundTook.of({ kind }).note(performance.now() - began)
      }
    },
    close: async () =>
      void (await Promise.all([...lines.values()].flatMap(({ agent, http2Agent }) => [agent.destroy(), http2Agent.destroy()]))),
  }
}

function refused(fault = PRIVATE): OutboundError {
  return new OutboundError('refused', `The address ${fault}`, true)
}

/** Unencrypted as it is: whoever asked for it begins the encryption, where its protocol has it. */
function openSocket(connect: buildConnector.connector, hostname: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  connect({ hostname, host: hostname, protocol: 'http:', port: String(port) }, (error, socket) => (error ? reject(error) : resolve(socket)))
  return promise
}

/** Connects to what was checked and to nothing else: a name leads to the addresses found just now, a number to itself. */
function guardedConnector(
  isPrivateAllowed: boolean,
  lookUp: (name: string) => Promise<string[]>,
  allowH2: boolean,
): buildConnector.connector {
  const guarded: LookupFunction = (name, options, found) => {
    lookUp(plainHost(name)).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }))
        if (options.all) found(null, all)
        else found(null, all[0]!.address, all[0]!.family)
      },
      (error: Error) => found(error, []),
    )
  }
  const connect = undici().buildConnector({ timeout: CONNECT_MS, lookup: guarded, allowH2 })
  return (options, done) => {
    const host = plainHost(options.hostname)
    // A number is never looked up.
    if (!isPrivateAllowed && isLocalHost(host)) return done(refused(), null)
    return connect(options, done)
  }
}

/**
 * Asked of the servers of names directly, because a look-up by the system holds one of the few threads that files and
 * passwords need too; that is only done for a name those servers do not know, which may stand in the file of hosts.
 */
async function resolveName(name: string): Promise<string[]> {
  if (/(^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const isUnknown = asked.every((answer) => answer.status === 'rejected' && ['ENOTFOUND', 'ENODATA'].includes(codeOf(answer.reason)))
  return isUnknown ? (await lookup(name, { all: true })).map(({ address }) => address) : []
}

/**
 * Calls of one origin wait for each other before their time runs, fairly among those who ask. `each`: calls of one asker at
 * once; `all`: of all of them.
 */
function limitByOrigin(bounds: { each: number; all: number }) {
  const origins = new Map<string, FairLimiter>()
  return async <T>(origin: string, asker: string, work: () => Promise<T>): Promise<T> => {
    const limiter = origins.get(origin) ?? new FairLimiter(bounds)
    origins.set(origin, limiter)
    try {
      return await limiter.take(asker, work)
    } finally {
      if (limiter.isIdle) origins.delete(origin)
    }
  }
}

/** Translates an error by its code, because its text may name addresses of this network. */
function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new OutboundError('timeout', `No connection within ${CONNECT_MS / 1000} s`, true)
  if (code === 'ECONNREFUSED') return new OutboundError('failed', 'Nothing listens at this address', true)
  if (['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'].includes(code))
    return new OutboundError('failed', 'The connection ended before the answer did')
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutboundError('failed', 'The headers of the answer are too long')
  if (error instanceof undici().errors.HTTPParserError) return new OutboundError('failed', 'The answer is not HTTP')
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) return new OutboundError('failed', `The certificate cannot be trusted (${code})`, true)
  if (['EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_INVALID_ARG'].includes(code))
    return new OutboundError('failed', `The call cannot be made (${code})`, true)
  return new OutboundError('failed', code === '' ? 'The call failed' : `The call failed (${code})`)
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | undefined)?.code ?? ''
}
