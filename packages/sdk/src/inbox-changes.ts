/**
 * What a person did with messages and the server has not heard of: in storage until it has, so that nothing is lost when a page
 * or an app is closed without a connection. Tabs of one origin share what is stored.
 */
import type { Storage } from './types.ts'

/** `seen`: the messages that could be seen when all were read. */
export type Act = { kind: 'read' | 'archived'; item: string; value: boolean } | { kind: 'readAll'; upTo: string; seen: readonly string[] }
/** `at`: ISO 8601. */
export type Change = { id: string; at: string } & Act

type Dated = { id: string; readAt: string | null; archivedAt: string | null }

/** Changes that wait; beyond that the oldest are given up. */
const MOST_WAITING = 500

export function withChange(waiting: readonly Change[], change: Change): readonly Change[] {
  return [...waiting, change].slice(-MOST_WAITING)
}

export function requestOf(change: Change): { path: string; body: Record<string, unknown> } {
  if (change.kind === 'readAll') return { path: '/inbox/read-all', body: { upTo: change.upTo } }
  return { path: `/inbox/${encodeURIComponent(change.item)}`, body: { [change.kind === 'read' ? 'read' : 'archived']: change.value } }
}

/** The item as it is once the server knows. */
export function applied<Item extends Dated>(item: Item, change: Change): Item {
  const { at } = change
  if (change.kind === 'readAll') return change.seen.includes(item.id) ? { ...item, readAt: item.readAt ?? at } : item
  if (change.item !== item.id) return item
  const name = change.kind === 'read' ? 'readAt' : 'archivedAt'
  return { ...item, [name]: change.value ? (item[name] ?? at) : null }
}

type ChangeStore = {
  /** What is stored of this owner: an installation and its person. Where storage is synchronous, it is there at once. */
  load(owner: string): readonly Change[] | Promise<readonly Change[]>
  /** Replaces those that are known here and keeps those of another tab. Whether they are stored; where there is no storage, they are not. */
  save(owner: string, waiting: readonly Change[]): boolean | Promise<boolean>
  /** Those of `waiting` that no other tab has sent: what was stored and is not there any more. */
  unsent(owner: string, waiting: readonly Change[]): readonly Change[]
}

const NAME = 'contentflow:1:inbox'

/** localStorage where it can be used: a browser may refuse even to name it. */
function defaultStorage(): Storage | undefined {
  try {
    return typeof document === 'object' && localStorage ? localStorage : undefined
  } catch {
    return undefined
  }
}

/** Without a storage changes wait in memory; what cannot be stored does too. */
export function openChanges(storage: Storage | undefined = defaultStorage()): ChangeStore {
  const known = new Set<string>()
  /** Were stored, and so may be sent by another tab. */
  const shared = new Set<string>()
  let writing = Promise.resolve()
  const learn = (changes: readonly Change[]) => {
    for (const { id } of changes) known.add(id)
    return changes
  }
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  const merged = (owner: string, text: string | null, waiting: readonly Change[]) => {
    const others = readStored(owner, text).filter(({ id }) => !known.has(id))
    learn(waiting)
    return JSON.stringify({ owner, changes: [...others, ...waiting] })
  }
  return {
    load: (owner) => {
      const text = attempt(() => storage?.getItem(NAME)) ?? null
      if (!isPromise(text)) return learn(readStored(owner, text))
      // A write that is under way is read as it will be.
      return writing.then(async () => learn(readStored(owner, (await storage?.getItem(NAME)) ?? null))).catch(() => [])
    },
    save: (owner, waiting) => {
      if (!storage) return false
      const text = attempt(() => storage.getItem(NAME)) ?? null
      if (!isPromise(text))
        return (
          attempt(() => {
            void storage.setItem(NAME, merged(owner, text, waiting))
            for (const { id } of waiting) shared.add(id)
            return true
          }) ?? false
        )
      const written = writing
        .then(async () => storage.setItem(NAME, merged(owner, await storage.getItem(NAME), waiting)))
        .then(
          () => true,
          () => false,
        )
      writing = written.then(() => undefined)
      return written
    },
    unsent: (owner, waiting) => {
      if (!waiting.some(({ id }) => shared.has(id))) return waiting
      const text = attempt(() => storage?.getItem(NAME)) ?? null
      if (isPromise(text)) return waiting
      const stored = new Set(readStored(owner, text).map(({ id }) => id))
      return waiting.filter(({ id }) => !shared.has(id) || stored.has(id))
    },
  }
}

/** Of somebody else, or malformed: as if nothing was stored. */
function readStored(owner: string, text: string | null): readonly Change[] {
  try {
    const stored = JSON.parse(text ?? '{}') as { owner?: unknown; changes?: unknown } | null
    return stored?.owner === owner && Array.isArray(stored.changes) ? stored.changes.filter(isChange) : []
  } catch {
    return []
  }
}

function isChange(value: unknown): value is Change {
  const { id, at, kind, item, value: to, upTo, seen } = (value ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof at !== 'string') return false
  if (kind === 'readAll') return typeof upTo === 'string' && Array.isArray(seen)
  return (kind === 'read' || kind === 'archived') && typeof item === 'string' && typeof to === 'boolean'
}

/** React Native may bring a Promise of its own. */
function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Tabs send one after another, so that a change is sent by one of them, in its order; a browser without locks goes on without. */
export function inTurn(work: () => Promise<void>): Promise<void> {
  const locks = typeof document === 'object' ? (navigator as { locks?: LockManager }).locks : undefined
  return locks ? locks.request(`${NAME}:sending`, work) : work()
}
