/**
 * Gives the columns of the last 30 days what became a dimension or a measure since. Rows that lack it say so themselves, so that whoever
 * goes on after a process died needs to know nothing else: some people of such a row are built again, with all that they did that day, until
 * no row lacks anything.
 */
import { decodeColumns } from '@contentflow/core/analysis/columns.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { lockCounting } from '../../../db/locks.ts'
import type { Db } from '../../../db/open.ts'
import { oneByOne, type Batch, type DueWork } from '../../../infra/due/due.ts'
import type { DueRow } from '../../../infra/due/queries-due.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { rebuildDay, takeOut } from './erase-columns.ts'
import { PARTS, readUsed } from './make-rows.ts'
import { findLacking, listProfilesOf, markFilled, refillTable } from './queries-refill.ts'
import { findKeptDays, readGroup, type StoredRow } from './queries-rows.ts'

const KIND = 'refill'
const DAYS = 30
/** Events of the row that lacks something, whose people one step builds again; others who count or erase events wait for it. */
const STEP = { postgres: 2_000, embedded: 300 }

/** Due when somebody declares that reports ask for a property. */
export function refillWork(ctx: Context): DueWork<DueRow> {
  const table = refillTable(ctx.db)
  const work = oneByOne<DueRow>(ctx, { kind: KIND, table, backOff: { first: 60_000, most: HOUR_MS } }, async (_row, batch) =>
    (await refill(ctx, batch)) ? null : ctx.clock.now(),
  )
  return { kind: KIND, rows: table, most: 1, yields: true, work }
}

/** False: others have their turn first. */
async function refill(ctx: Context, { workspaceId, signal, isOver }: Batch<DueRow>): Promise<boolean> {
  const today = Math.floor(ctx.clock.ms() / DAY_MS) * DAY_MS
  // Of older days there may be columns, and no events any more.
  const days = Math.min(DAYS, (await findKeptDays(ctx.db, workspaceId)) - 1)
  const period = { from: dayOf(today - days * DAY_MS), to: dayOf(today) }
  for (;;) {
    signal.throwIfAborted()
    const day = await inTransaction(ctx.db, async (tx) => refillSome(ctx, tx, workspaceId, period))
    if (day === undefined) return true
    // The next search begins where this one found something.
    period.to = day
    if (isOver()) return false
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The day on which something was lacking; undefined: nothing is. Days are filled newest first. */
async function refillSome(ctx: Context, tx: Db, workspaceId: string, period: { from: string; to: string }): Promise<string | undefined> {
  await lockCounting(tx, workspaceId)
  const row = await findLacking(tx, workspaceId, { ...period, used: await readUsed(tx, workspaceId) })
  if (!row) {
    await markFilled(tx, workspaceId, period.from)
    return undefined
  }
  await rebuildSome(ctx, tx, workspaceId, row)
  await markFilled(tx, workspaceId, dayOf(Date.parse(row.day) + DAY_MS))
  await ctx.faults.reach(`${KIND}: filled`)
  return row.day
}

async function rebuildSome(ctx: Context, tx: Db, workspaceId: string, row: StoredRow): Promise<void> {
  const { environment, day, part } = row
  const { people, starts } = decodeColumns(row.body, row.meta)
  const most = STEP[ctx.engine]
  const some = people.filter((_, index) => index === 0 || starts[index + 1]! <= most)
  const numbers = Array.from(some, (local) => local * PARTS + part)
  await rebuildDay(ctx, tx, workspaceId, { people: await listProfilesOf(tx, workspaceId, { environment, numbers }), day })
  // What is left of them belongs to nobody any more.
  const left = (await readGroup(tx, workspaceId, row)).find(({ chunk }) => chunk === row.chunk)
  if (left) await takeOut(tx, workspaceId, left, new Set(some))
}
