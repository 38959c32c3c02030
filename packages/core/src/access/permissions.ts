/** What a member may do: the closed list of permissions, and the three documented roles as fixed sets of them. */

/** Held by every role: what can be read. `people:contacts`: whoever lacks it sees email, phone and name of people masked. */
const VIEWER = [
  'analytics:export',
  'analytics:read',
  'campaigns:read',
  'channels:read',
  'code:read',
  'content:read',
  'imports:read',
  'journeys:read',
  'keys:read',
  'media:read',
  'members:read',
  'messages:read',
  'people:contacts',
  'people:read',
  'segments:read',
  'settings:read',
  'strings:export',
  'strings:read',
  'types:read',
  'webhooks:read',
] as const

/** Held by editors and admins. `people:enrichment`: what other systems say of people, which nobody else reads back. */
const EDITOR = [
  'analytics:write',
  'campaigns:launch',
  'campaigns:send',
  'campaigns:write',
  'code:write',
  'content:publish',
  'content:write',
  'imports:write',
  'journeys:activate',
  'journeys:send',
  'journeys:write',
  'keys:manage',
  'media:write',
  'messages:send',
  'messages:write',
  'people:enrichment',
  'people:write',
  'segments:write',
  'strings:manage',
  'strings:publish',
  'strings:write',
  'types:write',
] as const

/** Held by admins alone. */
const ADMIN = [
  'audit:read',
  'channels:manage',
  'code:manage',
  'imports:manage',
  'members:manage',
  'members:provision',
  'messages:manage',
  'people:export',
  'people:manage',
  'settings:manage',
  'webhooks:manage',
  'workspace:delete',
] as const

/** Held with approval rights, whatever the role. */
const APPROVALS = ['campaigns:approve', 'content:approve', 'strings:approve'] as const

export type Permission = (typeof VIEWER)[number] | (typeof EDITOR)[number] | (typeof ADMIN)[number] | (typeof APPROVALS)[number]

/** Every permission, by name. */
export const PERMISSIONS: readonly Permission[] = [...VIEWER, ...EDITOR, ...ADMIN, ...APPROVALS].sort()

export type DocumentedRole = 'admin' | 'editor' | 'viewer'

/** What each documented role holds, besides approval rights. */
const ROLES: Record<DocumentedRole, readonly Permission[]> = {
  viewer: VIEWER,
  editor: [...VIEWER, ...EDITOR],
  admin: [...VIEWER, ...EDITOR, ...ADMIN],
}

const makeSets = (more: readonly Permission[]): Record<DocumentedRole, ReadonlySet<Permission>> => ({
  viewer: new Set([...ROLES.viewer, ...more]),
  editor: new Set([...ROLES.editor, ...more]),
  admin: new Set([...ROLES.admin, ...more]),
})
const WITHOUT_APPROVALS = makeSets([])
const WITH_APPROVALS = makeSets(APPROVALS)

/** What a member with a documented role holds. */
export function permissionsOf(role: DocumentedRole, mayApprove: boolean): ReadonlySet<Permission> {
  return (mayApprove ? WITH_APPROVALS : WITHOUT_APPROVALS)[role]
}

/** Whether somebody holds anything that editors do not: an admin, or whoever has such a role of the workspace. */
export function administers(role: DocumentedRole, own: readonly string[] | undefined): boolean {
  return own ? ADMIN.some((permission) => own.includes(permission)) : role === 'admin'
}

export function isPermission(name: unknown): name is Permission {
  return (PERMISSIONS as readonly unknown[]).includes(name)
}

/** Whether it comes with approval rights. */
export function isApproval(permission: Permission): boolean {
  return (APPROVALS as readonly Permission[]).includes(permission)
}
