import type { Context } from '../../../context.ts'
import { batched } from '../../../infra/concurrency/batched.ts'
import { findSessions, type FoundSession } from '../accounts/sign-in/queries-sessions.ts'
import { listKeysByHash, listSettings, type KeyedSettings, type KeyRow } from '../queries.ts'

/** What credentials lead to, as it is in the database after whoever asks came. */
export type LookUps = {
  key(hash: string): Promise<KeyRow | undefined>
  settings(workspaceId: string): Promise<KeyedSettings | undefined>
  session(tokenHash: string): Promise<FoundSession | undefined>
}

/** In one statement, and statements of each kind under way. */
const TOGETHER = 100
const AT_ONCE = 2

/**
 * Anybody may ask for any number of credentials that nobody has, before any rate counts them, and none of them may be remembered: one
 * that was just made, on another node too, has to work at once. So those that arrive together share a statement, which takes no
 * longer for a hundred than for one.
 */
export function openLookUps({ db, clock }: Pick<Context, 'db' | 'clock'>): LookUps {
  const lookUp = <Row>(list: (names: readonly string[]) => Promise<readonly Row[]>, nameOf: (row: Row) => string) =>
    batched<string, Row | undefined>(
      async (names) => {
        const found = new Map((await list([...new Set(names)])).map((row) => [nameOf(row), row]))
        return names.map((name) => found.get(name))
      },
      // What fails is the statement.
      { most: TOGETHER, atOnce: AT_ONCE, isForAll: () => true },
    )
  return {
    key: lookUp(
      (hashes) => listKeysByHash(db, hashes, clock.now()),
      ({ hash }) => hash,
    ),
    settings: lookUp(
      (ids) => listSettings(db, ids),
      ({ id }) => id,
    ),
    session: lookUp(
      (hashes) => findSessions(db, hashes, clock.now()),
      ({ tokenHash }) => tokenHash,
    ),
  }
}
