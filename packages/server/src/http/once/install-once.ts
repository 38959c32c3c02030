/**
 * `Idempotency-Key` on the management API (decision 81): a POST that is sent again with the same key does nothing twice and gets
 * the first answer. Rights are asked for by the guard before; without the header nothing is different.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { LIMIT_NAMES } from '@contentflow/core/access/allows.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { claimKey, type ClaimedRun, type KeyedRequest } from '../../infra/once/claim-key.ts'
import { setOnce } from '../../infra/request-scope.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'
import type { Caller } from '../callers/caller.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST that calls other machines before it answers: what became of one that was cut off is not known. */
    callsOut?: true
    /** A POST that may be sent again as it is, and takes no `Idempotency-Key`. */
    isRepeatable?: true
  }
  interface FastifyRequest {
    /** While it has a key of its own. */
    onceRun: ClaimedRun | undefined
  }
}

/** Headers of an answer that a repeat gets too; the others are of the request. */
const KEPT_HEADERS = ['content-type', 'etag', 'location', 'cache-control', 'retry-after', 'content-disposition']

/** Whether a route of the management API takes an `Idempotency-Key`. */
export function takesKey({ method, config }: { method: RouteOptions['method']; config?: FastifyContextConfig | undefined }): boolean {
  return method === 'POST' && ['member', 'write'].includes(config?.auth ?? '') && !config?.isRead && !config?.isRepeatable
}

/** Must be called before the routes of the root are added. */
export function installOnce(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('onceRun')
  app.addHook('onRoute', (route) => {
    if (!takesKey(route)) return
    const begin = (request: FastifyRequest, reply: FastifyReply) => beginOnce(ctx, request, reply)
    route.preHandler = [begin, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), settleOnce]
  })
}

async function beginOnce(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  // Sent twice it is one text with a comma among the headers, and two here.
  const sent = request.raw.headersDistinct['idempotency-key'] ?? [String(header)]
  const claimed = await claimKey(ctx, keyedRequest(request, readKey(sent)))
  if ('settle' in claimed) {
    request.onceRun = claimed
    setOnce(claimed)
    await ctx.faults.reach('once.begun')
    return undefined
  }
  const { status, headers, body } = claimed
  return reply
    .code(status)
    .headers({ ...headers, 'idempotent-replay': 'true' })
    .send(body)
}

/** The key of the header, a structured string or bare. */
function readKey(sent: readonly string[]): string {
  const [text = '', ...more] = sent
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text.trim())?.[1]
  const key = quoted === undefined ? text.trim() : quoted.replaceAll(/\\(["\\])/g, '$1')
  const isRight = more.length === 0 && key.length <= LIMITS.idempotencyKeyLength && /^[\x20-\x7e]+$/.test(key)
  if (!isRight) failWith(400, `Idempotency-Key takes one text of 1 to ${LIMITS.idempotencyKeyLength} printable ASCII characters`)
  return key
}

function keyedRequest(request: FastifyRequest, key: string): KeyedRequest {
  const { caller, method, url, routeOptions, bodyHash = '' } = request
  if (caller.kind !== 'member' && caller.kind !== 'write') throw new Error(`a ${caller.kind} sends no Idempotency-Key`)
  const id = caller.kind === 'write' ? caller.keyId : caller.accountId
  return {
    workspaceId: caller.workspaceId,
    caller: `${caller.kind}:${id}`,
    keyHash: hashSecret(key),
    route: `${method} ${routeOptions.url ?? ''}`,
    requestHash: hashSecret(`${url}\n${bodyHash}`),
    rights: rightsOf(caller),
    callsOut: routeOptions.config.callsOut ?? false,
  }
}

/** What a caller may do, by names: whoever lacks one of them since is given no kept answer. A limit is written `locales=de`, none `locales`. */
function rightsOf(caller: Extract<Caller, { kind: 'member' | 'write' }>): string[] {
  if (caller.kind === 'write') return caller.mayPublish ? ['approve'] : []
  const { permissions, limits, isOwn } = caller.grant
  if (isOwn) return [...permissions, ...LIMIT_NAMES.flatMap((kind) => limits[kind]?.map((name) => `${kind}=${name}`) ?? [kind])]
  const roles = { viewer: [], editor: ['editor'], admin: ['editor', 'admin'] }[caller.role]
  return caller.mayApprove ? [...roles, 'approve'] : roles
}

/** Only what had an effect is kept. A refusal did nothing, and is judged anew. */
async function settleOnce(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const run = request.onceRun
  if (!run) return payload
  request.onceRun = undefined
  setOnce(undefined)
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload) || payload === null || payload === undefined
  if (reply.statusCode >= 300) await run.settle(undefined)
  else await run.settle(isText ? { status: reply.statusCode, headers: keptHeaders(reply), body: String(payload ?? '') } : undefined)
  return payload
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(KEPT_HEADERS.filter((name) => reply.hasHeader(name)).map((name) => [name, String(reply.getHeader(name))]))
}
