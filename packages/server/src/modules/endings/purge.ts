/** Deletes what a workspace that ended holds, in steps that may be cut off anywhere: files, then rows, then the workspace itself. */
import { HOUR_MS, MINUTE_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { SYSTEM } from '../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { removeFiles, type Library } from '../media/index.ts'
import { ENDINGS } from './end-workspace.ts'
import * as queries from './queries-endings.ts'
import type { Ending } from './queries-endings.ts'

const BACK_OFF = { first: MINUTE_MS, most: HOUR_MS }
/** Of a table, in one transaction. */
const ROWS_AT_ONCE = 2_000
const FILES_AT_ONCE = 50

export function endingsWork(ctx: Context, library: Library): DueWork<Ending> {
  const table = queries.endingsTable(ctx.db)
  const work = oneByOne(ctx, { kind: ENDINGS, table, backOff: BACK_OFF }, (row, batch) => purge(ctx, library, row, batch))
  return { kind: ENDINGS, rows: table, most: 1, work }
}

/** Says when it goes on; null when everything is gone, or the workspace was restored. */
async function purge(ctx: Context, library: Library, ending: Ending, batch: Batch<Ending>): Promise<Date | null> {
  const now = ctx.clock.now()
  if (ending.ends_at > now) return ending.ends_at
  const { workspaceId } = batch
  const hasBegun = await inTransaction(ctx.db, async (tx) => {
    const held = await queries.lockEnding(tx, workspaceId)
    if (held && !held.began_at) await queries.noteBegun(tx, workspaceId, now)
    return held !== undefined
  })
  if (!hasBegun) return null
  for (const each of [ending.sandbox_id, workspaceId]) {
    if (each !== null && !(await deleteAll(ctx, library, each, batch))) return ctx.clock.now()
  }
  await queries.noteFinished(ctx.db, workspaceId, ctx.clock.now())
  return null
}

/** False when the turn is over before everything is gone. */
async function deleteAll(ctx: Context, library: Library, workspaceId: string, batch: Batch<Ending>): Promise<boolean> {
  const isOver = () => batch.isOver() || batch.signal.aborted
  for (let files = FILES_AT_ONCE; files === FILES_AT_ONCE;) {
    files = await removeFiles(ctx, library, workspaceId, FILES_AT_ONCE)
    await queries.addDeleted(ctx.db, batch.workspaceId, { files })
    await ctx.faults.reach(`${ENDINGS}: files`)
    if (isOver()) return false
  }
  for (const table of await queries.listTablesInOrder(ctx.db)) {
    for (let rows = ROWS_AT_ONCE; rows >= ROWS_AT_ONCE;) {
      rows = await inTransaction(ctx.db, async (tx) => {
        if (table === 'consent_ledger') await queries.nameEnding(tx, workspaceId)
        const deleted = await queries.deleteSome(tx, table, workspaceId, ROWS_AT_ONCE)
        if (deleted > 0) await queries.addDeleted(tx, batch.workspaceId, { rows: deleted })
        return deleted
      })
      if (rows > 0) await ctx.faults.reach(`${ENDINGS}: ${table}`)
      if (isOver()) return false
    }
  }
  await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
    change.emit({ kind: 'settings', workspaceId })
    await queries.deleteWorkspace(change.tx, workspaceId)
  })
  return true
}
