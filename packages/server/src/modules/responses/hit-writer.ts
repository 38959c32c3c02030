/** Hits wait in memory for a moment and are written together, so that no click waits for the database, nor needs it. */
import type { Context } from '../../context.ts'
import { isConnectionError, isTimeout } from '../../infra/unavailable.ts'
import { insertHits, type NewHit } from './queries-responses.ts'

/** How long a hit waits, milliseconds: what a process that is killed loses at most. */
const GATHER_MS = 500
/** Hits that wait, of all and of one message to one person; beyond it clicks lead on, and are not counted. */
const [MOST, MOST_OF_ONE] = [100_000, 20]
/** Of one statement. */
const AT_ONCE = 1_000

export type HitWriter = {
  add(hit: NewHit): void
  /** Resolves when everything that was added is written, or cannot be. */
  flush(): Promise<void>
}

export function openHitWriter(ctx: Context): HitWriter {
  let waiting: NewHit[] = []
  /** How many of them are of one message to one person: whoever follows one link without end fills no room of others. */
  let ofOne = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const start = () => {
    timer ??= setTimeout(() => void flush(), GATHER_MS).unref()
  }
  const writeAll = async () => {
    const hits = waiting
    waiting = []
    ofOne = new Map()
    for (const [workspaceId, own] of Map.groupBy(hits, (hit) => hit.workspaceId))
      for (let at = 0; at < own.length; at += AT_ONCE) await write(workspaceId, own.slice(at, at + AT_ONCE))
  }
  const write = async (workspaceId: string, hits: readonly NewHit[]) => {
    try {
      await insertHits(ctx.db, workspaceId, hits, ctx.clock.now())
    } catch (error) {
      const comesBack = isConnectionError(error) || isTimeout(error)
      ctx.log.error({ err: error, workspaceId, rows: hits.length }, 'openings and clicks could not be written')
      // Whatever else is wrong with them, they would fail again.
      if (!comesBack) ctx.metrics.responsesDropped.inc(hits.length)
      else for (const hit of hits) add(hit)
    }
  }
  const add = (hit: NewHit) => {
    const send = `${hit.dispatchId}.${hit.profileId}`
    const own = ofOne.get(send) ?? 0
    if (waiting.length >= MOST || own >= MOST_OF_ONE) return ctx.metrics.responsesDropped.inc()
    ofOne.set(send, own + 1)
    waiting.push(hit)
    return start()
  }
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }
  return { add, flush }
}
