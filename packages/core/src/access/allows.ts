/** Whether a grant allows something. Only this file makes permits, so what asks for one cannot be done without asking here. */
import type { Permission } from './permissions.ts'

/** Kinds of names by which a grant may be limited. */
export const LIMIT_NAMES = ['locales', 'namespaces', 'blockKeys', 'screens', 'environments'] as const
export type LimitName = (typeof LIMIT_NAMES)[number]
/** The names that a grant may write, by kind. A kind that is left out is not limited. Limits never apply to reading. */
export type Limits = { readonly [Name in LimitName]?: readonly string[] }

/** What a caller may do in a workspace. `isOwn`: by a role that the workspace made, or a service account; refusals then say what is missing. */
export type Grant = { readonly permissions: ReadonlySet<Permission>; readonly limits: Limits; readonly isOwn?: true }

/** What something is done to: by each kind of names all that it touches. */
export type Target = { readonly [Name in LimitName]?: readonly string[] }

declare const permitted: unique symbol
/** Proves that a grant was asked about it. */
export type Permit = { readonly [permitted]: true }
const PERMIT = {} as Permit

/** `required`: what the grant lacks. */
export type Refused = { required: { permission: Permission; target?: Target } }

/** Modules whose writes are limited, and by what. */
const LIMITED: Partial<Record<string, readonly LimitName[]>> = {
  content: ['blockKeys', 'screens', 'environments'],
  types: ['blockKeys', 'screens'],
  strings: ['locales', 'namespaces'],
  keys: ['environments'],
}
const UNLIMITED_ACTIONS: ReadonlySet<string> = new Set(['read', 'export'])

/** By what kinds of names this permission is limited, where a grant limits them. */
export function limitsOf(permission: Permission): readonly LimitName[] {
  const [module = '', action = ''] = permission.split(':')
  return UNLIMITED_ACTIONS.has(action) ? [] : (LIMITED[module] ?? [])
}

/**
 * Whether the grant allows it for all of the target. A kind of names that the grant limits and the target does not say is refused:
 * whoever asks says everything that is touched.
 */
export function allows(grant: Grant, permission: Permission, target: Target): Permit | Refused {
  if (!grant.permissions.has(permission)) return { required: { permission } }
  for (const name of limitsOf(permission)) {
    const allowed = grant.limits[name]
    const touched = target[name]
    if (allowed && !(touched && touched.every((each) => allowed.includes(each)))) return { required: { permission, target } }
  }
  return PERMIT
}

export function isRefused(answer: Permit | Refused): answer is Refused {
  return 'required' in answer
}

/** Whether whoever holds `grant` holds all of `other`: nobody gives what they do not hold. */
export function includes(grant: Grant, other: Grant): boolean {
  for (const permission of other.permissions) if (!grant.permissions.has(permission)) return false
  return LIMIT_NAMES.every((name) => {
    const [own, given] = [grant.limits[name], other.limits[name]]
    return own === undefined || (given !== undefined && given.every((each) => own.includes(each)))
  })
}

/** What both limits leave. */
export function intersect(a: Limits, b: Limits): Limits {
  const both: Partial<Record<LimitName, readonly string[]>> = {}
  for (const name of LIMIT_NAMES) {
    const [one, other] = [a[name], b[name]]
    const left = one && other ? one.filter((each) => other.includes(each)) : (one ?? other)
    if (left) both[name] = left
  }
  return both
}
