/** The parts that a client stores between runs, and their names. */
import { asObject, isObject, type JsonObject } from '../machine/answer.ts'
import { ROUTES, queuedConsent, type Item } from '../machine/queue.ts'
import { DEFAULTS, readBlocks } from '../machine/read-wire.ts'
import { initialState, type State, type Stored } from '../machine/state.ts'
import { parseObject } from './transport.ts'
import type { Storage } from '../types.ts'

/** Parts that are written together, because they change together. */
const KEPT = {
  device: ['deviceId', 'deviceToken', 'environment', 'link', 'channels', 'over', 'shown'],
  content: ['content'],
  texts: ['texts'],
  outbox: ['items'],
} as const satisfies Record<string, readonly (keyof State)[]>
export type Part = keyof typeof KEPT
export const PARTS = Object.keys(KEPT) as Part[]
export type PartTexts = Partial<Record<Part, string | null>>

/**
 * Keys of one workspace on one server share what is stored, so that a rotated key finds it: what is before the last
 * underscore names the workspace. The number is that of the stored shape; what another version has stored is not read.
 */
export function storageName(baseUrl: string, key: string): string {
  return `contentflow:1:${baseUrl}:${key.replace(/_[^_]*$/, '')}`
}

/** Forgets with the process. */
export function memoryStorage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
  }
}

/** localStorage where it can be used: a browser may refuse even to name it. */
export function defaultStorage(): Storage {
  try {
    return typeof document === 'object' && localStorage ? localStorage : memoryStorage()
  } catch {
    return memoryStorage()
  }
}

/** The texts to store of each part that is another one. Without consent events wait in memory only. */
export function changedParts(before: State, after: State): PartTexts {
  const mayKeepEvents = queuedConsent(after.items, after.link.consent) === 'granted'
  const stored = { ...after, items: after.items.filter(({ kind }) => mayKeepEvents || kind !== 'event') }
  const changed = PARTS.filter((part) => KEPT[part].some((name) => before[name] !== after[name]))
  return Object.fromEntries(
    changed.map((part) => [part, JSON.stringify(Object.fromEntries(KEPT[part].map((name) => [name, stored[name]])))]),
  )
}

/** An example of each part, against which stored ones are checked; undefined: the reader checks it. */
const SAMPLE: Partial<Record<string, unknown>> = {
  ...initialState({} as State['settings']),
  deviceId: '',
  content: { blocks: [], config: DEFAULTS },
  texts: { catalog: { strings: {}, smartKeys: [] } },
}

/** Whether it has what the sample has, of the same types. */
function isLike(value: unknown, sample: unknown): boolean {
  if (!isObject(sample)) return sample === undefined || (typeof value === typeof sample && Array.isArray(value) === Array.isArray(sample))
  return isObject(value) && Object.keys(sample).every((name) => isLike(value[name], sample[name]))
}

/** Malformed parts count as never stored. */
export function readStored(texts: PartTexts): Stored {
  const all: JsonObject = Object.assign({}, ...PARTS.map((part) => parseObject(texts[part])))
  const stored = Object.fromEntries(Object.entries(all).filter(([name, value]) => isLike(value, SAMPLE[name]))) as Stored
  const { content, link, shown, items } = stored
  // An invalid time would be waited for without end.
  if (link && !isLike(link.renewAt ?? 0, 0)) delete stored.link
  if (!Object.values(shown ?? {}).every(Array.isArray)) delete stored.shown
  return {
    ...stored,
    ...(content && { content: { ...content, blocks: readBlocks(content.blocks) } }),
    // A newer version may have written kinds that are not known here.
    ...(items && { items: items.filter((item) => isObject(asObject(item)['body']) && Object.hasOwn(ROUTES, item.kind)) }),
  }
}

export function readItems(text: string | null | undefined): readonly Item[] {
  return readStored({ outbox: text ?? null }).items ?? []
}
