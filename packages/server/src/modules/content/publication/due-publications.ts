/** Revisions whose moment has come are published, each once, by whichever process comes to it. */
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { oneByOne, type DueWork } from '../../../infra/due/due.ts'
import type { DueRow } from '../../../infra/due/queries-due.ts'
import { changeContent } from '../revisions/change-content.ts'
import * as queries from '../revisions/queries.ts'
import { findInstance } from '../revisions/queries-instances.ts'
import { carryOut } from './carry-out.ts'
import { endPublication } from './move-publication.ts'
import { duePublications, failPublication, lockPublication } from '../revisions/queries-publications.ts'

const KIND = 'publications'
const BATCH = 100
const BACK_OFF = { first: 5_000, most: 300_000 }

export function publicationsWork(ctx: Context): DueWork<DueRow> {
  const table = duePublications(ctx.db)
  const work = oneByOne<DueRow>(ctx, { kind: KIND, table, backOff: BACK_OFF }, async ({ id }, { workspaceId }) => {
    const row = await lockPublication(ctx.db, workspaceId, id)
    if (!row) return null
    await changeContent(ctx, { workspaceId, actor: row.madeBy }, (change) => publishDue(change, id))
    return null
  })
  return { kind: KIND, rows: table, most: BATCH, rests: true, work }
}

/** Published and out of the list in one transaction, so that a kill in between loses nothing and does nothing twice. */
async function publishDue(change: Change, id: string): Promise<void> {
  const { tx, workspaceId, now } = change
  const due = await lockPublication(tx, workspaceId, id)
  // Cancelled, moved or carried out meanwhile.
  if (!due || due.at > now) return
  const instance = await findInstance(tx, workspaceId, due.instanceId)
  const definition = instance && (await queries.findDefinition(tx, workspaceId, instance.blockKey))
  if (!instance || !definition) return endPublication(change, id)
  try {
    await carryOut(change, definition, instance, { ...due, planned: due })
    await endPublication(change, id)
  } catch (error) {
    // Refused before anything was written: the author of the plan has to correct the content or the type.
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    await failPublication(tx, workspaceId, id, error.message)
  }
}
