/** Stores the bytes of files. Names are `<file>/<object>` and `<file>/incoming`; no person chooses them. */
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'

/** What a signed address allows, until it expires. One for GET also states the type that the bytes are served with. */
export type UploadGrant = { name: string; expiresAt: Date } & (
  { method: 'PUT'; type: string } | { method: 'GET'; type: string; disposition: string }
)

export type Store = {
  /** A signed address for `grant`. Undefined: there are no such bytes to read. */
  sign(grant: UploadGrant): Promise<string | undefined>
  /** Copies the bytes to `file`, up to a limit, and returns their number; undefined when there are none. */
  fetch(name: string, file: string, mostBytes: number): Promise<number | undefined>
  /** Stores `file`, which the store may move. */
  put(name: string, file: string, type: string): Promise<void>
  /** Missing names are no error. */
  remove(names: readonly string[]): Promise<void>
}

/** M-CONT-09. */
const STORAGE_RETRY_SECONDS = 30

/** The same store, whose failures become refusals that ask the caller to try again. */
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
