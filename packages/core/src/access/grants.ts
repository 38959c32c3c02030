/** What members and service accounts hold, from what is stored of them. */
import { intersect, type Grant, type Limits } from './allows.ts'
import { isApproval, isPermission, PERMISSIONS, permissionsOf, type DocumentedRole, type Permission } from './permissions.ts'

/** A role that a workspace made. */
export type OwnRole = { permissions: readonly string[]; limits: Limits }
const NO_LIMITS: Limits = {}
/** Of what nobody asked for by a request: it was allowed before. */
export const FULL_GRANT: Grant = { permissions: new Set(PERMISSIONS), limits: NO_LIMITS }

/** `ownRole`: what counts instead of the documented role. Names that are no permissions any more give nothing. */
export function grantOfMember(role: DocumentedRole, mayApprove: boolean, ownRole?: OwnRole): Grant {
  if (!ownRole) return { permissions: permissionsOf(role, mayApprove), limits: NO_LIMITS }
  return { permissions: new Set(ownRole.permissions.filter(isPermission)), limits: ownRole.limits, isOwn: true }
}

/** Programs never approve, whatever their role. `limits`: of the account itself, besides those of its role. */
export function grantOfService(role: DocumentedRole, limits: Limits, ownRole?: OwnRole): Grant {
  const grant = grantOfMember(role, false, ownRole)
  const permissions = new Set([...grant.permissions].filter((each) => !isApproval(each)))
  return { permissions, limits: intersect(grant.limits, limits), isOwn: true }
}

/** Whether a grant approves everything that can be asked for: then what takes a second person may be done at once. */
export function isApprover({ permissions, limits }: Grant): boolean {
  const needed: readonly Permission[] = ['campaigns:approve', 'content:approve', 'strings:approve']
  return needed.every((each) => permissions.has(each)) && Object.keys(limits).length === 0
}
