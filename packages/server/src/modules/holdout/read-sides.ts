/** Once a night: how many people are on each side of the holdout, and what they did since it began. */
import { HOUR_MS, DAY_MS } from '@contentflow/core/units.ts'
import type { Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { Context } from '../../context.ts'
import type { Change } from '../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import { findHoldout } from './queries-held-out.ts'
import * as queries from './queries-readings.ts'
import type { PageSums, Progress, ReadingRow, Side } from './queries-readings.ts'

const HOLDOUT = 'holdout'
/** People of one statement. */
const PAGE = 2_000
/** At night, when the sums of the last hour of the day before are there. */
const NIGHT_MS = 2 * HOUR_MS

/** With the setting, in its transaction: the first reading follows when the first day of it is over. */
export async function planReading({ tx, workspaceId }: Change, { since }: Pick<Holdout, 'since'>): Promise<void> {
  await queries.saveDue(tx, workspaceId, since === null ? null : nightAfter(Date.parse(since)))
}

const nightAfter = (now: number) => new Date(Math.floor((now - NIGHT_MS) / DAY_MS) * DAY_MS + DAY_MS + NIGHT_MS)

/** One row for each workspace that holds people out. */
export function holdoutWork(ctx: Context): DueWork<ReadingRow> {
  const table = queries.readingsTable(ctx.db)
  const work = oneByOne<ReadingRow>(ctx, { kind: HOLDOUT, table, backOff: { first: 60_000, most: HOUR_MS } }, async (row, batch) =>
    readSides(ctx, row, batch),
  )
  return { kind: HOLDOUT, rows: table, most: 1, work }
}

const NOBODY: Side = { units: 0, converted: 0, value: 0, squares: 0 }

/** Says when it goes on. Where it has an end, the last reading is that of the night after. */
async function readSides(ctx: Context, row: ReadingRow, batch: Batch<ReadingRow>): Promise<Date | null> {
  const { db, clock } = ctx
  const { workspaceId } = batch
  const holdout = await findHoldout(db, workspaceId)
  if (!holdout || holdout.since === null) return null
  const { since, endsAt } = holdout
  const now = clock.now()
  const until = endsAt !== null && Date.parse(endsAt) < now.getTime() ? new Date(Date.parse(endsAt) - 1) : now
  // What was added up of another comparison is of other people.
  let progress: Progress =
    row.progress?.since === since ? row.progress : { since, after: '', sides: { heldOut: { ...NOBODY }, others: { ...NOBODY } } }
  for (;;) {
    const page = await queries.sumPage(db, workspaceId, holdout, { since, until, after: progress.after, limit: PAGE })
    progress = added(progress, page)
    if (page.reduce((sum, { units }) => sum + units, 0) < PAGE) break
    batch.signal.throwIfAborted()
    await queries.saveProgress(db, workspaceId, { progress })
    await ctx.faults.reach(`${HOLDOUT}: page`)
    if (batch.isOver()) return clock.now()
  }
  await queries.saveProgress(db, workspaceId, { progress: null, reading: { since, at: now.toISOString(), sides: progress.sides } })
  return until < now ? null : nightAfter(now.getTime())
}

function added({ since, after, sides }: Progress, page: readonly PageSums[]): Progress {
  const sum = (side: Side, isHeld: boolean): Side => {
    const found = page.find((each) => each.isHeld === isHeld)
    if (!found) return side
    return {
      units: side.units + found.units,
      converted: side.converted + found.converted,
      value: side.value + found.value,
      squares: side.squares + found.squares,
    }
  }
  return { since, after: page[0]?.last ?? after, sides: { heldOut: sum(sides.heldOut, true), others: sum(sides.others, false) } }
}
