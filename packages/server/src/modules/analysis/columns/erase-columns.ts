/** Takes people out of the columns. The lock of counting is held until the transaction ends, so nothing comes in meanwhile. */
import { decodeColumns, encodeColumns } from '@contentflow/core/analysis/columns.ts'
import { withoutPeople } from '@contentflow/core/analysis/merge-columns.ts'
import type { Context } from '../../../context.ts'
import { lockCounting } from '../../../db/locks.ts'
import type { Db } from '../../../db/open.ts'
import { makeRows, PARTS, readUsed } from './make-rows.ts'
import { insertRows, readDayOf } from './queries-build.ts'
import { deleteNumbers, deleteRow, listDaysOf, listNumbers, readParts, updateRow, type StoredRow } from './queries-rows.ts'

/** Before their stored events go, which say on which days there is something of them. They have no numbers afterwards. */
export async function eraseFromColumns(tx: Db, workspaceId: string, people: readonly string[]): Promise<void> {
  await lockCounting(tx, workspaceId)
  await strip(tx, workspaceId, people, await listDaysOf(tx, workspaceId, people))
  await deleteNumbers(tx, workspaceId, people)
}

/** Builds the columns of these people anew from what is stored, when some of their events went with a device of somebody else. */
export async function rebuildInColumns(ctx: Context, tx: Db, workspaceId: string, people: readonly string[]): Promise<void> {
  await lockCounting(tx, workspaceId)
  for (const day of await listDaysOf(tx, workspaceId, people)) await rebuildDay(ctx, tx, workspaceId, { people, day })
}

/** The same of one day (UTC). The caller holds the lock of counting. */
export async function rebuildDay(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  { people, day }: { people: readonly string[]; day: string },
): Promise<void> {
  await strip(tx, workspaceId, people, [day])
  const used = await readUsed(tx, workspaceId)
  const events = await readDayOf(tx, workspaceId, { people, day, withProperties: [...used.keys()] })
  await insertRows(tx, workspaceId, await makeRows(ctx, tx, workspaceId, { events, used }), ctx.clock.now())
}

async function strip(tx: Db, workspaceId: string, people: readonly string[], days: readonly string[]): Promise<void> {
  const numbers = await listNumbers(tx, workspaceId, people)
  for (const [environment, mine] of Map.groupBy(numbers, (number) => number.environment)) {
    const byPart = Map.groupBy(mine, ({ no }) => no % PARTS)
    for (const day of days)
      for (const row of await readParts(tx, workspaceId, { environment, day, parts: [...byPart.keys()] })) {
        const gone = new Set((byPart.get(row.part) ?? []).map(({ no }) => Math.floor(no / PARTS)))
        await takeOut(tx, workspaceId, row, gone)
      }
  }
}

/** Takes people out of one row, by their numbers within its part. */
export async function takeOut(tx: Db, workspaceId: string, row: StoredRow, gone: ReadonlySet<number>): Promise<void> {
  const before = decodeColumns(row.body, row.meta)
  const after = withoutPeople(before, gone)
  if (after === before) return
  const [people, events] = [after.people.length, after.keys.length]
  if (events === 0) await deleteRow(tx, workspaceId, row)
  else await updateRow(tx, workspaceId, row, { people, events, ...encodeColumns(after) })
}
