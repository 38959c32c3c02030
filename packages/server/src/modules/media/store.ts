/** Where the bytes of files are. Names are `<file>/<object>` and `<file>/incoming`, never of a person's choosing. */
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'

/** What an address allows, to whoever has it, until it ends. A GET says as what the bytes are given out. */
export type UploadGrant = { name: string; expiresAt: Date } & (
  { method: 'PUT'; type: string } | { method: 'GET'; type: string; disposition: string }
)

export type Store = {
  /** An address for `grant`. Undefined: there are no such bytes to get. */
  sign(grant: UploadGrant): Promise<string | undefined>
  /** Brings the bytes to `file`, at most so many, and says how many; undefined when there are none. */
  fetch(name: string, file: string, mostBytes: number): Promise<number | undefined>
  /** Stores `file`, which may be gone afterwards. */
  put(name: string, file: string, type: string): Promise<void>
  /** Those that are not there are no error. */
  remove(names: readonly string[]): Promise<void>
}

/** M-CONT-09. */
const STORAGE_RETRY_SECONDS = 30

/** The same store, whose failures are refusals that ask to come again. */
export function guardStore({ faults, log }: Pick<Context, 'faults' | 'log'>, store: Store): Store {
  const guard = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      faults.check('storage')
      return await work()
    } catch (error) {
      if (error instanceof ApiError) throw error
      log.error({ err: error, part: what }, 'the store of files failed')
      throw new ApiError(503, 'Files cannot be reached just now, please try again', undefined, STORAGE_RETRY_SECONDS)
    }
  }
  return {
    sign: (grant) => guard('sign', () => store.sign(grant)),
    fetch: (name, file, mostBytes) => guard('fetch', () => store.fetch(name, file, mostBytes)),
    put: (name, file, type) => guard('put', () => store.put(name, file, type)),
    remove: (names) => guard('remove', () => store.remove(names)),
  }
}
