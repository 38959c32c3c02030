import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { makeDay } from './queries-partitions.ts'

/** Days made ahead, so that midnight is no event. */
const AHEAD = 2

export type Partitions = {
  /** Resolves when events of this moment can be stored; at once but for the first of a day. */
  ensure(now: number): Promise<void> | undefined
}

/** The days of `events`, made when they are needed first and once for all processes. */
export function openPartitions(ctx: Context): Partitions {
  let madeUntil = 0
  let making: Promise<void> | undefined
  return {
    ensure: (now) => {
      if (now < madeUntil) return undefined
      making ??= makeDays(ctx.db, now)
        .then((until) => {
          madeUntil = until
        })
        .finally(() => {
          making = undefined
        })
      return making
    },
  }
}

/** Returns until when events can be stored now, in milliseconds. */
async function makeDays(db: Db, now: number): Promise<number> {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  for (let day = today; day <= today + AHEAD * DAY_MS; day += DAY_MS) await db.transaction().execute(async (tx) => makeDay(tx, day))
  // Looked at again tomorrow, when the days ahead still stand.
  return today + DAY_MS
}
