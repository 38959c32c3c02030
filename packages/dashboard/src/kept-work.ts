/**
 * Unsaved work that this browser keeps, by workspace, member and thing, until it is saved or its member signs out. It is
 * bounded in size, number and age. Pages that hold personal data keep nothing.
 */

const PREFIX = 'cf.kept.'
const MOST = 20
const MOST_LENGTH = 200_000
const MOST_MS = 7 * 86_400_000

/** `thing`: such as `campaign/1`. */
export type KeptWorkKey = { workspaceId: string; userId: string; thing: string }
export type Kept<T> = { at: number; value: T }

export function readKept<T>(place: KeptWorkKey): Kept<T> | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null') as Kept<T> | null
    return kept && Date.now() - kept.at < MOST_MS ? kept : undefined
  } catch {
    return undefined
  }
}

export function writeKept(place: KeptWorkKey, value: unknown): void {
  const text = JSON.stringify({ at: Date.now(), value })
  if (text.length > MOST_LENGTH) return
  try {
    dropOldest(keyOf(place))
    localStorage.setItem(keyOf(place), text)
  } catch {
    // The storage is full: the page itself still has the work.
  }
}

export function dropKept(place: KeptWorkKey): void {
  localStorage.removeItem(keyOf(place))
}

/** Removes all work of a member who signs out themselves. */
export function dropKeptOf(userId: string): void {
  for (const key of keys()) if (key.split('.')[3] === userId) localStorage.removeItem(key)
}

function keyOf({ workspaceId, userId, thing }: KeptWorkKey): string {
  return `${PREFIX}${workspaceId}.${userId}.${thing}`
}

function keys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
}

/** Makes room for one more, and removes work that is too old. */
function dropOldest(next: string): void {
  const others = keys()
    .filter((key) => key !== next)
    .map((key) => ({ key, at: timeOf(key) }))
    .sort((a, b) => b.at - a.at)
  for (const [index, { key, at }] of others.entries()) if (index >= MOST - 1 || Date.now() - at >= MOST_MS) localStorage.removeItem(key)
}

function timeOf(key: string): number {
  return Number(/^\{"at":(\d+),/.exec(localStorage.getItem(key) ?? '')?.[1] ?? 0)
}
