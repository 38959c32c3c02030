/**
 * Work that is done once however often its request is sent (decision 81). The answer is not known when an effect commits, so
 * each change of such a request keeps its result in its own transaction. Whoever repeats the request runs the handler again:
 * a change whose result is kept returns it without working, so that presenter and status come out the same.
 */
import type { Db } from '../../db/open.ts'
import { currentOnce } from '../request-scope.ts'
import type { Keep } from './once-run.ts'

/** What a repeat must find as the first request found it, though its change has been made since: read once. Not inside a change. */
export async function readOnce<T>(db: Db, read: () => Promise<T>): Promise<T> {
  const turn = currentOnce()?.next()
  if (!turn) return read()
  return 'keep' in turn ? turn.keep(db, await read(), 'read') : (turn.result as T)
}

/** Runs a change of a request; of one that is done once, what it came to before is returned instead. */
export async function onceInRequest<T>(run: (keep: Keep) => Promise<T>): Promise<T> {
  const turn = currentOnce()?.next()
  if (!turn) return run(async (_tx, result) => result)
  return 'keep' in turn ? run(turn.keep) : (turn.result as T)
}
