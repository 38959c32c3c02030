/** What is due of staged imports: matching, writing and forgetting their rows, in steps of which each is one transaction. */
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import type { Context } from '../../context.ts'
import type { Engine } from '../../db/open.ts'
import { SYSTEM, type Change } from '../../infra/change.ts'
import { oneByOne, type DueWork } from '../../infra/due/due.ts'
import { InjectedFault } from '../../infra/faults.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'
import { isUnavailable } from '../../infra/unavailable.ts'
import {
  findSubjectSalt,
  hashSubject,
  holdPeople,
  insertUsers,
  listErased,
  lockUsers,
  resolvePeople,
  writePeople,
} from '../people/index.ts'
import { IMPORTS, statusAt } from './change-import.ts'
import * as queries from './queries-imports.ts'
import type { Import } from './queries-imports.ts'
import { findPriorities } from './queries-priorities.ts'
import {
  assignRows,
  countVerdicts,
  deleteRows,
  findSpanEnd,
  listPeopleOf,
  listUnmatched,
  matchRows,
  saveRows,
  type RowSpan,
} from './queries-rows.ts'
import { addWritten, lockUpload, updateUpload } from './queries-uploads.ts'
import { endInTime, followInSegments } from './resolve.ts'

const BACK_OFF = { first: 2_000, most: 300_000 }
const FAILED = 'The import could not be finished; what was written can be rolled back in the history'

export function importsWork(ctx: Context): DueWork<DueRow> {
  const table = dueTable<DueRow>(ctx.db, 'imports')
  const work = oneByOne<DueRow>(ctx, { kind: IMPORTS, table, backOff: BACK_OFF }, async ({ id }, { workspaceId, signal, isOver }) => {
    try {
      while (await doStep(ctx, workspaceId, id)) {
        signal.throwIfAborted()
        // Its rows are written in their order, so it goes on where it is.
        if (isOver()) return ctx.clock.now()
      }
    } catch (error) {
      // What the database could not do now it may do later; anything else would go wrong again (G-74).
      if (signal.aborted || (isUnavailable(error) && !(error instanceof InjectedFault))) throw error
      ctx.log.error({ err: error, workspaceId, id }, 'an import failed')
      await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => failImport(change, id))
    }
    const { status, lapses_at, expires_at } = await queries.getImport(ctx.db, workspaceId, id)
    if (status === 'committed') endInTime(ctx, workspaceId, expires_at)
    return status === 'cancelled' || lapses_at <= ctx.clock.now() ? null : lapses_at
  })
  return { kind: IMPORTS, rows: table, most: 4, yields: true, rests: true, work }
}

/** False when nothing is left to do of it for now. */
async function doStep(ctx: Context, workspaceId: string, id: string): Promise<boolean> {
  const goesOn = await writePeople(ctx, { workspaceId, actor: SYSTEM }, async (change) => {
    // Before the import is held, like everywhere (LOCK_ORDER).
    const seen = await queries.getImport(change.tx, workspaceId, id)
    const isLast = seen.status === 'committing' && (await findEnd(ctx, change, seen)) === undefined
    if (isLast) await followInSegments(change, { areNew: seen.create_missing })
    const held = await queries.lockImport(change.tx, workspaceId, id)
    if (held.status === 'matching') return matchStep(ctx, change, held)
    if (held.status === 'committing') return isLast ? finishCommit(change, held) : commitStep(ctx, change, held)
    return forgetStep(ctx, change, held)
  })
  await ctx.faults.reach(`${IMPORTS}: step`)
  return goesOn
}

function findEnd(
  ctx: Context,
  { tx, workspaceId }: Change,
  { id, done_row }: Import,
  size: Record<Engine, number> = BATCH_SIZES.enrichedPeople,
): Promise<number | undefined> {
  return findSpanEnd(tx, workspaceId, id, done_row, size[ctx.engine])
}

async function matchStep(ctx: Context, change: Change, held: Import): Promise<boolean> {
  const { tx, workspaceId, now } = change
  const upTo = await findEnd(ctx, change, held, BATCH_SIZES.matchedRows)
  if (upTo === undefined) {
    const found = JSON.stringify(await countVerdicts(tx, workspaceId, held.id))
    await queries.updateImport(tx, held, { status: 'ready', found, updated_at: now })
    return false
  }
  await matchRows(tx, held, { workspaceId, importId: held.id, after: held.done_row, upTo })
  await queries.updateImport(tx, held, { done_row: upTo, updated_at: now })
  return true
}

async function commitStep(ctx: Context, change: Change, held: Import): Promise<boolean> {
  const { tx, workspaceId, now } = change
  ctx.faults.check('enrichment_write')
  const upTo = await findEnd(ctx, change, held)
  // Somebody else did the last step meanwhile.
  if (upTo === undefined) return true
  const span: RowSpan = { workspaceId, importId: held.id, after: held.done_row, upTo }
  const upload = await lockUpload(tx, workspaceId, held.id)
  if (held.create_missing) await makePeople(change, held, span)
  const people = await holdPeople(tx, workspaceId, await listPeopleOf(tx, span))
  const load = { uploadId: held.id, source: upload.source, loadedAt: upload.created_at, expiresAt: upload.expires_at }
  await addWritten(tx, workspaceId, held.id, await saveRows(tx, span, load, people))
  await resolvePeople(tx, workspaceId, people, await findPriorities(tx, workspaceId), now)
  await queries.updateImport(tx, held, { done_row: upTo, updated_at: now })
  return true
}

/** M-ENR-66. Nobody who was erased comes back by it (X-INT-22). */
async function makePeople({ tx, workspaceId, now }: Change, { environment }: Import, span: RowSpan): Promise<void> {
  const userIds = await listUnmatched(tx, span)
  if (userIds.length === 0) return
  const salt = await findSubjectSalt(tx, workspaceId)
  const known = new Map((await lockUsers(tx, workspaceId, environment, userIds)).map(({ userId, id }) => [userId, id]))
  const subjects = new Map(userIds.map((userId) => [userId, hashSubject(salt, 'user', userId)]))
  const erased = await listErased(tx, workspaceId, environment, [...subjects.values()])
  const missing = userIds.filter((userId) => !known.has(userId) && !erased.has(subjects.get(userId) ?? ''))
  const made = missing.map((userId) => ({ id: uuidv7(now.getTime()), userId, channels: {}, saved: null }))
  await insertUsers(tx, workspaceId, environment, made, now)
  await assignRows(tx, span, new Map([...known, ...made.map(({ userId, id }) => [userId, id] as const)]))
}

async function finishCommit({ tx, workspaceId, now }: Change, held: Import): Promise<boolean> {
  await queries.updateImport(tx, held, { status: 'committed', updated_at: now })
  await updateUpload(tx, workspaceId, held.id, { status: 'completed', finished_at: now })
  return false
}

/** G-46, M-ENR-73: rows of an import that is cancelled, or has lapsed, go. */
async function forgetStep(ctx: Context, { tx, workspaceId, now }: Change, held: Import): Promise<boolean> {
  if (held.status !== 'cancelled' && held.lapses_at > now) return false
  const status = statusAt(held, now)
  if (status !== held.status) await queries.updateImport(tx, held, { status, updated_at: now })
  const most = BATCH_SIZES.enrichedPeople[ctx.engine] * 2
  return (await deleteRows(tx, workspaceId, held.id, most)) === most
}

async function failImport(change: Change, id: string): Promise<void> {
  const { tx, workspaceId, now } = change
  const { create_missing: areNew } = await queries.getImport(tx, workspaceId, id)
  await followInSegments(change, { areNew })
  const held = await queries.lockImport(tx, workspaceId, id)
  if (held.status !== 'matching' && held.status !== 'committing') return
  await queries.updateImport(tx, held, { status: 'failed', failure: FAILED, updated_at: now })
  if (held.status === 'committing') await updateUpload(tx, workspaceId, id, { status: 'failed', finished_at: now })
}
