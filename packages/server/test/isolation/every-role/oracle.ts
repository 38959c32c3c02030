/**
 * Who may call what, said once more and without the code that decides it: the documented roles by the list that was written
 * down before there were permissions, roles of a workspace by the names of their permissions and limits.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { isPermission, PERMISSIONS, type Permission } from '@contentflow/core/access/permissions.ts'

type Kind = 'locales' | 'namespaces' | 'blockKeys' | 'screens' | 'environments'
/** Names of what is touched, or of what a role is limited to. */
export type Names = { [Name in Kind]?: readonly string[] }
/** `documented`: one of the three, which counts alone. `isProgram`: a service account asks. */
export type Asker = {
  documented?: 'viewer' | 'editor' | 'admin'
  mayApprove?: boolean
  holds: ReadonlySet<string>
  limits: Names
  isProgram: boolean
}
/** `also`: what the route asks besides its own permission: one of each list, of all that is touched. */
export type Asked = { route: string; also?: readonly { anyOf: readonly Permission[]; touched: Names }[] }

const readGolden = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as Record<string, string[]>
const turned = (table: Record<string, string[]>) =>
  new Map(Object.entries(table).flatMap(([key, routes]) => routes.map((route) => [route, key])))
const permissionOf = turned(readGolden('permissions-of-routes.json'))
const leastRoleOf = turned(readGolden('roles-of-routes.json'))

/** `METHOD /path` of every route of members. */
export const ROUTES: readonly string[] = [...permissionOf.keys()].sort()
for (const permission of permissionOf.values()) assert.ok(isPermission(permission), permission)

export const permissionFor = (route: string): string => permissionOf.get(route) ?? assert.fail(route)

/** What documented roles hold, from the routes that they were for. */
export function documentedHolds(role: 'viewer' | 'editor' | 'admin', mayApprove: boolean): ReadonlySet<string> {
  const held = new Set<string>()
  for (const route of ROUTES) {
    const least = leastRoleOf.get(route) ?? assert.fail(route)
    if (least === 'approver' ? mayApprove : RANK[role] >= RANK[least as keyof typeof RANK]) held.add(permissionFor(route))
  }
  // No route asks for these first.
  for (const more of role === 'admin' ? ['members:provision', 'people:contacts'] : ['people:contacts']) held.add(more)
  return held
}
const RANK = { any: 0, viewer: 0, editor: 1, admin: 2 } as const

/** Modules whose writes a role may be limited in, and by which names. */
const NARROWED: Record<string, readonly Kind[]> = {
  content: ['blockKeys', 'screens', 'environments'],
  types: ['blockKeys', 'screens'],
  strings: ['locales', 'namespaces'],
  keys: ['environments'],
}

function holds({ holds: held, isProgram }: Asker, permission: string): boolean {
  return held.has(permission) && !(isProgram && permission.endsWith(':approve'))
}

function reaches({ limits }: Asker, permission: string, touched: Names): boolean {
  const [module = '', action = ''] = permission.split(':')
  if (action === 'read' || action === 'export') return true
  return (NARROWED[module] ?? []).every((kind) => {
    const allowed = limits[kind]
    return allowed === undefined || (touched[kind] !== undefined && touched[kind].every((name) => allowed.includes(name)))
  })
}

/** Programs neither make programs nor get codes by mail. */
const BY_PEOPLE = /^(POST|PUT|DELETE) \/service-accounts|launch-otp$/
/** Asked once it is known what it is about. */
const LATER: Record<string, readonly Permission[]> = {
  'POST /users/:userId/export': ['people:contacts'],
}

/** Whether the route's own guard lets them in. */
export const entersRoute = (asker: Asker, route: string): boolean => holds(asker, permissionFor(route))

/** Whether they may do it to something that is there. */
export function may(asker: Asker, { route, also = [] }: Asked): boolean {
  if (!entersRoute(asker, route)) return false
  if (asker.isProgram && BY_PEOPLE.test(route)) return false
  if (!(LATER[route] ?? []).every((each) => holds(asker, each))) return false
  return also.every(({ anyOf, touched }) => anyOf.some((each) => holds(asker, each) && reaches(asker, each, touched)))
}

/** Whether they read the things of this module: by any permission of it. */
export const readsModule = (asker: Asker, module: string): boolean =>
  [...asker.holds].some((each) => each.startsWith(`${module}:`) && holds(asker, each))

/** Draws a set of permissions and limits: a few of each, or most of them. */
export function drawRole(next: () => number, universe: Record<Kind, readonly string[]>): { permissions: Permission[]; limits: Names } {
  const share = [0.15, 0.35, 0.65, 0.9][Math.floor(next() * 4)] ?? 0.5
  const permissions = PERMISSIONS.filter(() => next() < share)
  const limits: Names = {}
  for (const [kind, names] of Object.entries(universe) as [Kind, readonly string[]][])
    if (next() < 0.3) limits[kind] = names.filter(() => next() < 0.5)
  return { permissions, limits }
}
