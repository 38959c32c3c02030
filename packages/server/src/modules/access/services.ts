/** Service accounts: programs that act in a workspace with a role (decision 78). */
import { readLimits } from '@contentflow/core/access/read-role.ts'
import { grantOfService } from '@contentflow/core/access/grants.ts'
import type { DocumentedRole } from '@contentflow/core/access/permissions.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { actorOfMember, requireGrant } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { lockSettings } from '../workspaces/index.ts'
import { requireRole } from './roles.ts'
import * as queries from './queries-services.ts'
import type { ServiceContent, StoredService } from './queries-services.ts'

/** `role` or `roleId`. Left out of a change: as it was. */
type ServiceBody = { name?: string; ownerId?: string; role?: DocumentedRole; roleId?: string; limits?: object }

export async function createService(ctx: Context, caller: MemberCaller, body: ServiceBody): Promise<StoredService> {
  refuseService(caller)
  return ctx.change(actorOfMember(caller), async ({ tx, workspaceId, now, audited }) => {
    await lockSettings(tx, workspaceId)
    const others = await queries.listServices(tx, workspaceId)
    if (others.length >= LIMITS.serviceAccountsPerWorkspace) fail('SERVICE_ACCOUNT_LIMIT')
    if (body.role === undefined && body.roleId === undefined) failWith(400, 'send role or roleId')
    const blank = { name: '', ownerId: caller.accountId, role: 'viewer', roleId: null, limits: {} } as const
    const service = await readService(tx, caller, blank, body)
    refuseName(others, service.name)
    const id = uuidv7(now.getTime())
    await queries.insertService(tx, workspaceId, id, service, now)
    audited('service-account', id, undefined, service)
    return requireService(tx, workspaceId, id)
  })
}

export async function changeService(ctx: Context, caller: MemberCaller, id: string, body: ServiceBody): Promise<StoredService> {
  refuseService(caller)
  return ctx.change(actorOfMember(caller), async ({ tx, workspaceId, now, audited }) => {
    await lockSettings(tx, workspaceId)
    const before = await requireHeld(tx, caller, id)
    const service = await readService(tx, caller, before, body)
    refuseName(
      (await queries.listServices(tx, workspaceId)).filter((each) => each.id !== id),
      service.name,
    )
    await queries.updateService(tx, workspaceId, id, service, now)
    audited('service-account', id, contentOf(before), service)
    return requireService(tx, workspaceId, id)
  })
}

/** Its tokens open nothing from then on. */
export async function removeService(ctx: Context, caller: MemberCaller, id: string): Promise<void> {
  refuseService(caller)
  await ctx.change(actorOfMember(caller), async ({ tx, workspaceId, audited }) => {
    await lockSettings(tx, workspaceId)
    audited('service-account', id, contentOf(await requireService(tx, workspaceId, id)))
    await queries.deleteService(tx, workspaceId, id)
  })
}

export async function requireService(db: Db, workspaceId: string, id: string): Promise<StoredService> {
  return (await queries.findService(db, workspaceId, id)) ?? failWith(404, 'service account not found')
}

/** What people choose of it. */
function contentOf({ name, ownerId, role, roleId, limits }: StoredService): ServiceContent {
  return { name, ownerId, role, roleId, limits }
}

/** One whose rights the caller holds: whoever makes a token of it may do what it may. */
export async function requireHeld(db: Db, caller: MemberCaller, id: string): Promise<StoredService> {
  const service = await requireService(db, caller.workspaceId, id)
  requireGrant(caller, grantOfService(service.role, service.limits, service.ownRole))
  return service
}

/** Programs make no programs: a token that got lost would live on in another one. */
export function refuseService({ ownerId }: MemberCaller): void {
  if (ownerId !== undefined) fail('ROLE_REQUIRED', { message: 'Service accounts and their tokens are managed by people' })
}

async function readService(tx: Db, caller: MemberCaller, before: ServiceContent, body: ServiceBody): Promise<ServiceContent> {
  if (body.role !== undefined && body.roleId !== undefined) failWith(400, 'send role or roleId, not both')
  const limits = body.limits === undefined ? undefined : readLimits(body.limits)
  if (limits && !limits.ok) return failWith(400, limits.error)
  const ownerId = body.ownerId ?? before.ownerId
  const { workspaceId } = caller
  if (!(await queries.listNames(tx, workspaceId, [ownerId])).has(ownerId)) failWith(400, 'ownerId must be a member of the workspace')
  const { role, roleId } =
    body.roleId !== undefined
      ? { role: 'viewer' as const, roleId: body.roleId }
      : body.role !== undefined
        ? { role: body.role, roleId: null }
        : before
  const ownRole = roleId === null ? undefined : await requireRole(tx, workspaceId, roleId)
  const name = (body.name ?? before.name).trim()
  if (name === '') failWith(400, 'name must have 1 to 100 characters')
  const service = { name, ownerId, role, roleId, limits: limits?.value ?? before.limits }
  requireGrant(caller, grantOfService(role, service.limits, ownRole))
  return service
}

function refuseName(others: readonly { name: string }[], name: string): void {
  if (others.some((each) => each.name.toLowerCase() === name.toLowerCase())) fail('NAME_TAKEN')
}
