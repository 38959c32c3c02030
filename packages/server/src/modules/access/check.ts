/** Why a member or a service account may do something, or may not. */
import { allows, isRefused, type Grant, type Target } from '@contentflow/core/access/allows.ts'
import { grantOfMember, grantOfService } from '@contentflow/core/access/grants.ts'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import type { Db } from '../../db/open.ts'
import { findMembership } from '../workspaces/index.ts'
import { findService } from './queries-services.ts'

/** `missing`: the permission itself, or names that the limits leave out. `nobody`: neither a member nor a service account. */
type Checked = { allowed: boolean; missing?: 'nobody' | 'permission' | 'target'; permissions?: Permission[]; limits?: object }

/** Answers as the guard and the commands do, from the same functions. */
export async function checkAccess(
  db: Db,
  workspaceId: string,
  { userId, permission, target }: { userId: string; permission: Permission; target: Target },
): Promise<Checked> {
  const grant = await findGrant(db, workspaceId, userId)
  if (!grant) return { allowed: false, missing: 'nobody' }
  const held = { permissions: [...grant.permissions].sort(), limits: grant.limits }
  const answer = allows(grant, permission, target)
  if (!isRefused(answer)) return { allowed: true, ...held }
  return { allowed: false, missing: answer.required.target ? 'target' : 'permission', ...held }
}

async function findGrant(db: Db, workspaceId: string, id: string): Promise<Grant | undefined> {
  const member = await findMembership(db, workspaceId, id)
  if (member) return grantOfMember(member.role, member.mayApprove, member.ownRole)
  const service = await findService(db, workspaceId, id)
  return service && grantOfService(service.role, service.limits, service.ownRole)
}
