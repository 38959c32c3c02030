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

/** `origins`: web pages, of application keys alone; `networks`: both as they are typed. `endsOn`: a day, such as 2027-01-31. */
export type NewKey = { kind: KeyKind; environment: Environment; name: string; origins?: string; networks?: string; endsOn?: string }
type KeyBody = {
  kind?: KeyKind
  environment?: Environment
  name: string
  allowedOrigins?: string[]
  allowedCidrs?: string[]
  expiresAt?: string
}

export function bodyOf({ kind, environment, name, origins = '', networks = '', endsOn = '' }: NewKey): KeyBody {
  const allowedOrigins = hasEnvironment(kind) ? wordsOf(origins) : []
  const allowedCidrs = wordsOf(networks)
  return {
    ...(hasEnvironment(kind) && { kind, environment }),
    name: name.trim(),
    ...(allowedOrigins.length > 0 && { allowedOrigins }),
    ...(allowedCidrs.length > 0 && { allowedCidrs }),
    ...(endsOn !== '' && { expiresAt: endAt(endsOn) }),
  }
}

/** The beginning of a day, where the browser is. */
export function endAt(day: string): string {
  return new Date(`${day}T00:00`).toISOString()
}

/** Typed with spaces or commas between them. */
function wordsOf(text: string): string[] {
  return text.split(/[\s,،]+/).filter(Boolean)
}

/** The last four characters, which also the list shows: what is typed to end a key that live apps may carry. */
export function endOf({ masked }: Pick<Key, 'masked'>): string {
  return masked.slice(-4)
}
