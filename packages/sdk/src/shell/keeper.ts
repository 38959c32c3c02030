/** Reads and writes the parts: at once where storage is synchronous, one after the other where it is not. */
import { makeError } from '../machine/answer.ts'
import { QUEUE_LIMIT } from '../machine/queue.ts'
import { PARTS, readItems, type Part, type PartTexts } from './storage.ts'
import type { ContentFlowError, Storage } from '../types.ts'

export type Keeper = {
  /** Calls `then` with what is stored, at once when storage is synchronous. */
  load(then: (texts: PartTexts) => void): void
  save(texts: PartTexts): void
  nameOf(part: Part): string
}

/** Repeated failures are reported once: a full storage would fail at every write. */
export function createKeeper(storage: Storage, name: string, onError: (error: ContentFlowError) => void): Keeper {
  /** Ids of items this client has had: others in storage are those of another tab. */
  const seen = new Set<string>()
  let isBroken = false
  let last: Promise<void> | undefined
  const nameOf = (part: Part) => `${name}:${part}`
  const fail = (error: unknown): void => {
    if (!isBroken) onError(makeError('STORAGE', String(error)))
    isBroken = true
  }
  const write = (part: Part, text: string): void | Promise<void> =>
    storage.setItem(nameOf(part), part === 'outbox' ? withOthers(storage.getItem(nameOf(part)), text, seen) : text)
  const save = (texts: PartTexts): void => {
    try {
      for (const part of PARTS) {
        const text = texts[part]
        const written = typeof text !== 'string' ? undefined : last ? last.then(() => write(part, text)) : write(part, text)
        if (isPromise(written)) last = written.catch(fail)
      }
    } catch (error) {
      fail(error)
    }
  }
  const load = (then: (texts: PartTexts) => void): void => {
    const done = (read: readonly (string | null)[]) => {
      const texts: PartTexts = Object.fromEntries(PARTS.map((part, index) => [part, read[index] ?? null]))
      for (const { id } of readItems(texts.outbox)) seen.add(id)
      then(texts)
    }
    const broke = (error: unknown) => {
      fail(error)
      done([])
    }
    try {
      const read = PARTS.map((part) => storage.getItem(nameOf(part)))
      if (read.some(isPromise)) void Promise.all(read.map((text) => Promise.resolve(text))).then(done, broke)
      else done(read as (string | null)[])
    } catch (error) {
      broke(error)
    }
  }
  return { nameOf, save, load }
}

/** React Native may bring a Promise of its own. */
function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Tabs of one origin share storage: events that another one stored are not overwritten. Whichever tab sends them, they count once. */
function withOthers(stored: string | null | Promise<string | null>, text: string, seen: Set<string>): string {
  const own = readItems(text)
  for (const { id } of own) seen.add(id)
  const others = isPromise(stored) ? [] : readItems(stored).filter(({ id, kind }) => kind === 'event' && !seen.has(id))
  return JSON.stringify({ items: [...others, ...own].slice(-QUEUE_LIMIT) })
}
