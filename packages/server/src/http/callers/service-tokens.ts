/** Service accounts, by the token that a program sends as a bearer. */
import type { FastifyRequest } from 'fastify'
import type { Limits } from '@contentflow/core/access/allows.ts'
import { grantOfService, type OwnRole } from '@contentflow/core/access/grants.ts'
import { workspaceOfToken } from '@contentflow/core/access/token.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { MemberCaller, Role, SessionOf } from './caller.ts'
import { addressOf, isWithin, toNetworks } from './networks.ts'
import { sessionCookie } from './session-cookie.ts'

/** A service account, by one of its tokens that is not over. */
type FoundService = {
  id: string
  tokenId: string
  name: string
  ownerId: string
  role: Role
  ownRole?: OwnRole
  limits: Limits
  allowedCidrs: readonly string[]
  isSuspended: boolean
  lastUsedAt: Date | null
}
export type FindService = {
  find(workspaceId: string, token: string): Promise<FoundService | undefined>
  noteUse(workspaceId: string, found: FoundService, address: string): Promise<void>
}

/** Who came in as a member, and whether the workspace is suspended. `isElsewhere`: the token does not open anything from this network. */
export type Entered = Omit<MemberCaller, 'reachedAt'> & { isSuspended: boolean; isElsewhere?: boolean }

/** The bearer that was sent, or the cookie of the dashboard. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1] ?? sessionCookie(request)
}

export function namedWorkspace(request: FastifyRequest): string {
  const workspaceId = request.headers['x-tenant-id']
  return typeof workspaceId === 'string' && workspaceId !== '' ? workspaceId : failWith(400, 'X-Tenant-Id header is missing')
}

/** Directories send the token alone. A workspace that is named has to be that of the token. */
export function perhapsNamedWorkspace(request: FastifyRequest): string | undefined {
  const workspaceId = request.headers['x-tenant-id']
  return workspaceId === undefined || workspaceId === '' ? undefined : String(workspaceId)
}

/** A token proves nothing of a person, and is as old as can be: what takes a recent session refuses it. */
const NO_SESSION: SessionOf = { amr: [], openedAt: new Date(0), providerId: null, workspaceId: null, idleMinutes: null }

/** It acts as a member with its role. The header has to name its workspace, as for everybody; `named` reads it otherwise. */
export async function enterAsService(
  ctx: Context,
  services: FindService,
  request: FastifyRequest,
  token: string,
  named: (request: FastifyRequest) => string | undefined = namedWorkspace,
): Promise<Entered> {
  const workspaceId = workspaceOfToken(token)
  const found = workspaceId === undefined ? undefined : await services.find(workspaceId, token)
  if (workspaceId === undefined || !found) return failWith(401, 'This token is unknown, over or taken back')
  if ((named(request) ?? workspaceId) !== workspaceId) failWith(403, 'You are not a member of this workspace')
  const address = addressOf(request.raw, ctx.config.trustedProxies)
  const isElsewhere = !isWithin(address, toNetworks(found.allowedCidrs))
  if (!isElsewhere) await services.noteUse(workspaceId, found, address)
  const { id: accountId, name, ownerId, role, isSuspended } = found
  const grant = grantOfService(role, found.limits, found.ownRole)
  const person = { accountId, email: '', name, tokenHash: '', session: NO_SESSION }
  return { kind: 'member', ...person, workspaceId, role, mayApprove: false, grant, ownerId, isSuspended, isElsewhere }
}
