/** The use of a key decides its kind, and the kind decides where it is managed. */
import type { Environment, Key, KeyKind } from '../api.ts'

type Family = 'sdk-keys' | 'write-keys' | 'read-keys'

const FAMILIES: Record<KeyKind, Family> = { publishable: 'sdk-keys', secret: 'sdk-keys', write: 'write-keys', read: 'read-keys' }

export const KINDS = ['publishable', 'secret', 'write', 'read'] as const satisfies KeyKind[]

export function pathOf(kind: KeyKind): `/settings/${Family}` {
  return `/settings/${FAMILIES[kind]}`
}

/** Write and read keys belong to the workspace, not to one environment. */
export function hasEnvironment(kind: KeyKind): boolean {
  return FAMILIES[kind] === 'sdk-keys'
}

export type NewKey = { kind: KeyKind; environment: Environment; name: string }

export function bodyOf({ kind, environment, name }: NewKey): { kind?: KeyKind; environment?: Environment; name: string } {
  return hasEnvironment(kind) ? { kind, environment, name: name.trim() } : { name: name.trim() }
}

/** The last four characters, which also the list shows: what is typed to end a key that live apps may carry. */
export function endOf({ masked }: Pick<Key, 'masked'>): string {
  return masked.slice(-4)
}
