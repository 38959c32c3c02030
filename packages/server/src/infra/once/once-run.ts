/** The changes of a request that is done once, as its scope carries them. */
import type { Db } from '../../db/open.ts'

/** Keeps the result of a change in its transaction, or of a read; returns it as a repeat will read it. */
export type Keep = <T>(tx: Db, result: T, of?: 'read') => Promise<T>

/** The changes of one request that is done once. */
export type OnceRun = {
  /** The next change: what it came to before, or how its result is kept. */
  next(): { result: unknown } | { keep: Keep }
}
