/**
 * A lock of all tabs of an origin where the browser has none, as on pages without TLS: a note in localStorage of who
 * holds it and until when, renewed while it is held. Two may hold it for a moment, which costs a stream and loses nothing.
 */
import type { Answer } from '../machine/answer.ts'
import type { Wire } from './transport.ts'

/** A tab that is gone is waited for this long. */
const HELD_MS = 5_000
const RENEWED_MS = 2_000
/** A note that another tab has written meanwhile is seen after this. */
const SETTLED_MS = 200

type Note = { owner: string; until: number }

/** undefined where nothing can be noted. */
export function lease({ schedule, now }: Pick<Wire, 'schedule' | 'now'>) {
  if (!canNote()) return undefined
  return async (name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> => {
    const owner = String(Math.random())
    const pause = (milliseconds: number) =>
      new Promise<void>((resolve, reject) => {
        const cancel = schedule(resolve, milliseconds)
        signal.addEventListener('abort', () => (cancel(), reject(signal.reason as Error)), { once: true })
      })
    const isMine = () => readNote(name)?.owner === owner
    const isFree = () => isMine() || (readNote(name)?.until ?? 0) < now()
    const note = () => localStorage.setItem(name, JSON.stringify({ owner, until: now() + HELD_MS } satisfies Note))
    for (;;) {
      signal.throwIfAborted()
      if (isFree()) {
        note()
        await pause(SETTLED_MS)
        if (isMine()) break
      }
      await pause(SETTLED_MS + Math.random() * SETTLED_MS)
    }
    const ending = new AbortController()
    const end = () => ending.abort()
    signal.addEventListener('abort', end)
    let cancel = () => {}
    const renew = () => {
      if (!isMine()) return end()
      note()
      cancel = schedule(renew, RENEWED_MS)
    }
    renew()
    try {
      return await work(ending.signal)
    } finally {
      cancel()
      signal.removeEventListener('abort', end)
      if (isMine()) localStorage.removeItem(name)
    }
  }
}

function canNote(): boolean {
  try {
    return Boolean(localStorage)
  } catch {
    return false
  }
}

function readNote(name: string): Note | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as Note
  } catch {
    return undefined
  }
}
