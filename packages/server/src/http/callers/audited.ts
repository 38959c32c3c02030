/** What the audit log says of a request before anybody answers it: who asks, by which route, from where, about what its address names. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditActor } from '@contentflow/core/audit/entry.ts'
import type { Context } from '../../context.ts'
import type { Said } from '../../infra/audit/audit.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import { beginAudited, currentAudited, type AuditedRequest, type NamedObject } from '../../infra/request-scope.ts'
import { callerAddress, plainAddress } from './caller-address.ts'
import type { Caller } from './caller.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A read that shows more than one person: kept in the audit log of workspaces that want that, as one of a single person is. */
    isRecordedRead?: boolean
  }
}

/** How much of the hash of a session's token tells sessions of one person apart. */
const SESSION_LENGTH = 8

/** `tokenHash`: of the session. */
export function beginAudit(ctx: Context, request: FastifyRequest, actor?: AuditActor, tokenHash?: string): void {
  const { url = '', config } = request.routeOptions
  beginAudited({
    actor,
    action: actionOf(url, config.id),
    object: objectOf(url, (request.params ?? {}) as Record<string, string>),
    address: plainAddress(callerAddress(request.raw, ctx.config.trustedProxies)),
    userAgent: request.headers['user-agent'] ?? '',
    session: tokenHash?.slice(0, SESSION_LENGTH),
    noted: new Set(),
  })
}

function actionOf(url: string, id: FastifyRequest['routeOptions']['config']['id']): string {
  if (typeof id === 'object') return url.startsWith('/sdk/') ? id.client : id.management
  return id ?? 'unknownRoute'
}

/** Kinds whose parts of an address are not their plural. */
const KINDS: Record<string, string> = {
  blocks: 'block',
  content: 'file',
  users: 'person',
  strings: 'string',
  analytics: 'analytics',
  // Of SCIM: what a directory sends of members.
  Users: 'scim-user',
  Groups: 'scim-group',
}
const KEYS = /^(sdk|write|read)-keys$/

/**
 * The first parameter of an address names the main thing, what stands before it its kind: `/campaigns/:id/approve` is of the campaign.
 * A setting has no id but its name. What a route without parameters makes or changes, its command names.
 */
function objectOf(url: string, params: Record<string, string>): NamedObject | undefined {
  const parts = url.replace(/^\/(sdk\/v1|api\/v1\/sdk|api\/v1|scim\/v2)\//, '').split('/')
  const at = parts.findIndex((part) => part.startsWith(':'))
  if (at < 1) return parts[0] === 'settings' && parts[1] !== undefined ? { kind: 'setting', id: parts[1] } : undefined
  const id = params[parts[at]!.slice(1)] ?? ''
  const [before = '', after] = [parts[at - 1], parts[at + 1]]
  if (before === 'blocks' && after === 'instances' && params['id'] !== undefined) return { kind: 'instance', id: `${id}/${params['id']}` }
  if (KEYS.test(before)) return { kind: 'key', id }
  const kind = KINDS[before] ?? before.replace(/ies$/, 'y').replace(/s$/, '')
  return { kind, id, ...((kind === 'person' || kind === 'device') && { isPerson: true }) }
}

/** Of one person and route, refusals are kept once in so long. */
const REFUSALS_EVERY_MS = 60_000
const REFUSALS_HELD = 10_000

/** Writes for the account, into the log of each of its workspaces. */
type NoteAccount = (accountId: string, said: Said) => Promise<void>
/** Whether reads that show people, keys or many rows are kept in this workspace. */
type AreReadsKept = (workspaceId: string) => Promise<boolean>

/**
 * Leaves an entry of what has none yet when it is answered: of writes that no transaction of a workspace made, of what members are
 * refused, and, where a workspace wants that, of reads that show people, files or keys.
 */
export function installAudit(
  scope: FastifyInstance,
  ctx: Context,
  { noteAccount, areReadsKept }: { noteAccount: NoteAccount; areReadsKept: AreReadsKept },
): void {
  const refused = new GenerationalCache<string, number>(REFUSALS_HELD)
  const isNew = (key: string) => {
    const [now, before] = [ctx.clock.ms(), refused.get(key)]
    if (before !== undefined && now < before + REFUSALS_EVERY_MS) return false
    refused.set(key, now)
    return true
  }
  const note = async (request: FastifyRequest, reply: FastifyReply, audited: AuditedRequest, payload: unknown) => {
    const { caller } = request
    const workspaceId = workspaceOf(caller, audited.object)
    const reason = reply.statusCode === 403 ? codeIn(payload) : undefined
    if ((caller.kind === 'write' || caller.kind === 'read') && reason === 'KEY_NOT_ALLOWED_HERE') {
      if (isNew(`${caller.workspaceId} ${caller.keyId} ${reason}`))
        await ctx.audit.writeApart(caller.workspaceId, { outcome: 'refused', reason })
    } else if (reply.statusCode === 403 && caller.kind === 'member') {
      if (isNew(`${caller.workspaceId} ${caller.accountId} ${audited.action}`))
        await ctx.audit.writeApart(caller.workspaceId, { outcome: 'refused', ...(reason !== undefined && { reason }) })
    } else if (reply.statusCode < 400 && audited.noted.size === 0) {
      if (isAuditedWrite(request)) {
        ctx.metrics.auditedApart.inc({ action: audited.action })
        if (workspaceId !== undefined) await ctx.audit.writeApart(workspaceId)
        else if (caller.kind === 'account') await noteAccount(caller.accountId, {})
      } else if (workspaceId !== undefined && isRecordedRead(request, audited.object) && (await areReadsKept(workspaceId)))
        await ctx.audit.writeApart(workspaceId, { outcome: 'read' })
    }
  }
  // In callback style, so that what apps ask for stays synchronous.
  scope.addHook('onSend', (request, reply, payload, done) => {
    const audited = currentAudited()
    // An answer that is given again did nothing: what did it left its entry then.
    if (!audited?.actor || request.is404 || reply.hasHeader('idempotent-replay')) return done(null, payload)
    note(request, reply, audited, payload).then(
      () => done(null, payload),
      (error: unknown) => done(error as Error),
    )
  })
}

function workspaceOf(caller: Caller, object: NamedObject | undefined): string | undefined {
  if ('workspaceId' in caller) return caller.workspaceId
  return caller.kind === 'operator' && object?.kind === 'workspace' ? object.id : undefined
}

function isAuditedWrite({ method, routeOptions: { config } }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && !config.isRead
}

function isRecordedRead({ routeOptions: { config } }: FastifyRequest, object: NamedObject | undefined): boolean {
  return config.isRecordedRead === true || object?.isPerson === true
}

function codeIn(payload: unknown): string | undefined {
  return typeof payload === 'string' ? /"code":"([A-Z][A-Z_]+)"/.exec(payload)?.[1] : undefined
}
