/** Whether the server can be reached: since when not, and asking until it answers again. */
import { useSyncExternalStore } from 'react'

/** Sent by a proxy that finds no server, or by a server that finds no database. */
const AWAY_STATUSES: ReadonlySet<number> = new Set([0, 502, 503, 504])
/** Milliseconds until it is asked for the first time, and at most between two times. */
const FIRST_MS = 1_000
const MOST_MS = 10_000

let since: number | undefined
const listeners = new Set<() => void>()
let onReturn = () => {}

export function isAwayStatus(status: number): boolean {
  return AWAY_STATUSES.has(status)
}

/** Sets what to do once the server answers again. */
export function whenBack(listener: () => void): void {
  onReturn = listener
}

/** A request was not answered. */
export function noteAway(): void {
  if (since !== undefined) return
  since = Date.now()
  tell()
  askSoon(FIRST_MS)
}

/** Since when the server is away, in milliseconds; undefined while it answers. */
export function useAwaySince(): number | undefined {
  return useSyncExternalStore(subscribe, () => since)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

function askSoon(ms: number): void {
  setTimeout(() => {
    void isBack().then((answers) => {
      if (!answers) return askSoon(Math.min(MOST_MS, ms * 1.5))
      since = undefined
      tell()
      onReturn()
    })
  }, ms)
}

/** Asks at once; when there is no answer, it is away. */
export async function isThere(): Promise<boolean> {
  const answers = await isBack()
  if (!answers) noteAway()
  return answers
}

/** An answer of the server, and of its database. */
async function isBack(): Promise<boolean> {
  try {
    const response = await fetch('/readyz', { cache: 'no-store' })
    if (!response.ok) return false
    const { data } = (await response.json()) as { data?: { database?: string } }
    return data?.database === 'up'
  } catch {
    // It is still away.
    return false
  }
}
