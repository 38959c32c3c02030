/** Groups that a provider names, and the roles that they give. */
import type { DirectoryRole, GroupRow } from './provider.ts'

type Claims = Readonly<Record<string, unknown>>

/** Past this many Microsoft leaves the groups out and says where to ask instead: that is never "no groups". */
export type Groups = { isTooMany: true } | { isTooMany: false; groups: string[] | undefined }

/** `groups` undefined: nothing is said of them. `claim`: its name, or a path of names such as `realm_access.roles`. */
export function readGroups(claims: Claims, claim: string): Groups {
  const elsewhere = claims['_claim_names']
  if ((isObject(elsewhere) && claim in elsewhere) || claims['hasgroups'] === true) return { isTooMany: true }
  const found = claim in claims ? claims[claim] : claim.split('.').reduce<unknown>(memberOf, claims)
  if (found === undefined || found === null) return { isTooMany: false, groups: undefined }
  const list: unknown[] = Array.isArray(found) ? found : [found]
  return { isTooMany: false, groups: list.filter((each) => typeof each === 'string') }
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** `isDefault`: no group gave it. */
export type Granted = { workspaceId: string; role: DirectoryRole; roleId?: string; canApprove: boolean; isDefault: boolean }
type Rules = { mapping: readonly GroupRow[]; defaultRole: DirectoryRole | null; workspaceIds: readonly string[] }

/** The roles of somebody in these groups: in each workspace the first row that fits decides, else the default, if there is one. */
export function rolesFromGroups({ mapping, defaultRole, workspaceIds }: Rules, groups: readonly string[]): Granted[] {
  const inGroups = new Set(groups)
  return [...new Set(workspaceIds)].flatMap((workspaceId): Granted[] => {
    const row = mapping.find((each) => each.workspaceId === workspaceId && inGroups.has(each.group))
    if (row) {
      const { role, roleId, canApprove } = row
      return [{ workspaceId, role, ...(roleId !== undefined && { roleId }), canApprove, isDefault: false }]
    }
    return defaultRole === null ? [] : [{ workspaceId, role: defaultRole, canApprove: false, isDefault: true }]
  })
}
