/** Users and groups as SCIM shows them. */
import { GROUP, USER } from '@contentflow/core/scim/shapes.ts'
import type { StoredGroup } from './queries-groups.ts'
import type { StoredUser } from './queries-users.ts'

/** Of a caller: the address by which they reach this server. */
type Reached = { reachedAt: string }
export type Shown = { id: string; meta: { version: string; location: string } }

export function presentUser({ reachedAt }: Reached, user: StoredUser): Shown {
  return { schemas: [USER.schema], id: user.id, ...user.resource, meta: metaOf('User', `${reachedAt}/scim/v2/Users`, user) } as Shown
}

/** `memberIds` undefined: they are not asked for. */
export function presentGroup({ reachedAt }: Reached, group: StoredGroup, memberIds: readonly string[] | undefined): Shown {
  const { id, displayName, externalId } = group
  const users = `${reachedAt}/scim/v2/Users`
  return {
    schemas: [GROUP.schema],
    id,
    displayName,
    ...(externalId !== null && { externalId }),
    ...(memberIds && { members: memberIds.map((value) => ({ value, type: 'User', $ref: `${users}/${value}` })) }),
    meta: metaOf('Group', `${reachedAt}/scim/v2/Groups`, group),
  } as Shown
}

type Stored = { id: string; version: number; createdAt: Date; updatedAt: Date }

function metaOf(resourceType: string, address: string, { id, version, createdAt, updatedAt }: Stored) {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location: `${address}/${id}`,
    version: `W/"${version}"`,
  }
}
