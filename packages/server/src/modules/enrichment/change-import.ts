/** A staged import, from its start to what is asked of it; matching and writing go on behind the answer (import-work.ts). */
import { textLength } from '@contentflow/core/blocks/field.ts'
import { emptyCounts, rowJudge, withRows, type JudgedRow } from '@contentflow/core/imports/judge-row.ts'
import { readHeaders, type Mapping } from '@contentflow/core/imports/mapping.ts'
import { nextImportStatus, type ImportAct, type ImportStatus } from '@contentflow/core/imports/status.ts'
import { isPlaceholderId } from '@contentflow/core/identity/placeholder-ids.ts'
import type { Identity } from '@contentflow/core/imports/read-identity.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { hashSecret, uuidv7 } from '../../infra/secrets/crypto.ts'
import { mapSteps } from '../../infra/concurrency/time-slicer.ts'
import {
  countCustomers,
  findOwnEnvironment,
  listKnownUserIds,
  lockCustomerLimit,
  parsePhone,
  refusesPlaceholderIds,
} from '../people/index.ts'
import * as queries from './queries-imports.ts'
import type { Import } from './queries-imports.ts'
import { insertRows, listRows, type StagedRow } from './queries-rows.ts'
import { insertUpload } from './queries-uploads.ts'
import { getSource } from './queries-sources.ts'
import { expiryOf, fit, mappingIn, readSourceName, saveAs, valueOf } from './sources.ts'

export const IMPORTS = 'imports'
const FILE_NAME_LENGTH = 200

type Start = { fileName: string; headers: string[]; mapping: Mapping; isTest: boolean; expiresAt: Date | null; saveAsSource: string | null }

/** M-ENR-01 to M-ENR-27. */
export async function startImport(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<Import> {
  const start = await readStart(ctx, by.workspaceId, body)
  return ctx.change(by, async ({ tx, workspaceId, actor, now }) => {
    const environment = start.isTest ? 'test' : await findOwnEnvironment(tx, workspaceId)
    if (start.saveAsSource !== null) await saveAs(tx, workspaceId, start.saveAsSource, start.mapping, now)
    const id = uuidv7(now.getTime())
    const lapsesAt = new Date(now.getTime() + LIMITS.stagedRowHours * HOUR_MS)
    await queries.insertImport(tx, {
      workspace_id: workspaceId,
      id,
      environment,
      file_name: start.fileName,
      headers: JSON.stringify(start.headers),
      mapping: JSON.stringify(start.mapping),
      expires_at: start.expiresAt,
      status: 'staging',
      staged: JSON.stringify(emptyCounts(start.mapping)),
      account_id: actor,
      created_at: now,
      updated_at: now,
      lapses_at: lapsesAt,
      due_at: lapsesAt,
    })
    return queries.getImport(tx, workspaceId, id)
  })
}

async function readStart(ctx: Context, workspaceId: string, body: Record<string, unknown>): Promise<Start> {
  const { fileName = null, env = null, saveAsSource = null, sourceId = null } = body
  const headers = valueOf(readHeaders(body['headers']))
  const mapping = await mappingOf(ctx, workspaceId, body['mapping'], sourceId)
  fit(mapping, headers)
  if (fileName !== null && (typeof fileName !== 'string' || textLength(fileName) > FILE_NAME_LENGTH))
    failWith(400, `fileName must be a text of up to ${FILE_NAME_LENGTH} characters`)
  if (env !== null && env !== 'test' && env !== 'live') failWith(400, 'env must be test or live')
  const expiresAt = (await expiryOf(ctx.db, workspaceId, body['expiresAt'])) ?? mapping.expiresAt
  if (expiresAt !== undefined && new Date(expiresAt) <= ctx.clock.now()) failWith(400, 'expiresAt must be in the future')
  return {
    fileName: fileName?.trim() ?? '',
    headers,
    mapping,
    isTest: env === 'test',
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    saveAsSource: saveAsSource === null ? null : readSourceName('saveAsSource', saveAsSource),
  }
}

async function mappingOf(ctx: Context, workspaceId: string, sent: unknown, sourceId: unknown): Promise<Mapping> {
  if (sent !== undefined && sent !== null) return mappingIn(ctx.db, workspaceId, sent)
  if (typeof sourceId !== 'string') failWith(400, 'Send a mapping, or the sourceId of a saved one')
  return (await getSource(ctx.db, workspaceId, sourceId)).mapping
}

export type Staging = { staged: number; skipped: number; counts: { rows: number; rejected: number }; replacedTexts?: number }

/** M-ENR-28 to M-ENR-34. Rows that were staged before are skipped, so a chunk can be sent again. */
export async function stageChunk(ctx: Context, by: Actor, id: string, body: Record<string, unknown>): Promise<Staging> {
  const begun = await queries.getImport(ctx.db, by.workspaceId, id)
  const { startRow, rows } = readChunk(body, begun.headers.length)
  return stageRows(ctx, by, begun, startRow, rows)
}

/** `begun`: the import as it was started; what it is by now is looked at once it is held. */
export async function stageRows(
  ctx: Context,
  by: Actor,
  { id, mapping, headers, environment }: Pick<Import, 'id' | 'mapping' | 'headers' | 'environment'>,
  startRow: number,
  rows: readonly (readonly string[])[],
): Promise<Staging> {
  const judge = rowJudge(mapping, headers, parsePhone)
  const read = await ctx.timeSlicer.run(by.workspaceId, mapSteps(rows, judge))
  const judged = await resolveUserIds(ctx.db, by.workspaceId, environment, read)
  const stored = judged.map((row, index): StagedRow => ({ row: startRow + index, identity: identityOf(row.identity), ...kept(row) }))
  const staging = await ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    const held = await holdFor(change, id, 'stage')
    const added = await insertRows(tx, workspaceId, id, stored)
    const fresh = judged.filter((_, index) => added.has(startRow + index))
    const counted = withRows(held.staged, fresh)
    await queries.updateImport(tx, held, { staged: JSON.stringify(counted), updated_at: now })
    const replacedTexts = fresh.reduce((sum, row) => sum + row.replacedTexts, 0)
    return {
      staged: added.size,
      skipped: rows.length - added.size,
      counts: { rows: counted.rows, rejected: counted.rejected },
      ...(replacedTexts > 0 && { replacedTexts }),
    }
  })
  ctx.metrics.replacedTexts.inc(staging.replacedTexts ?? 0)
  return staging
}

/**
 * Apps keep the blanks around an id, files rarely mean them: somebody with the id as it is written is that person, else the
 * id is meant without. With the protection `refusePlaceholderIds` ids such as `undefined` are nobody's.
 */
async function resolveUserIds(db: Db, workspaceId: string, environment: string, rows: readonly JudgedRow[]): Promise<readonly JudgedRow[]> {
  const userIds = rows.flatMap(({ identity }) => (identity.kind === 'userId' ? [identity] : []))
  if (userIds.length === 0) return rows
  const written = userIds.flatMap(({ asWritten }) => asWritten ?? [])
  const known = await listKnownUserIds(db, workspaceId, environment, written)
  const isRefused = userIds.some(({ userId }) => isPlaceholderId(userId)) && (await refusesPlaceholderIds(db, workspaceId))
  if (known.size === 0 && !isRefused) return rows
  return rows.map((row): JudgedRow => {
    const { identity } = row
    if (identity.kind !== 'userId') return row
    if (isRefused && isPlaceholderId(identity.userId))
      return { ...row, identity: { kind: 'fault', fault: 'invalid_user_id' }, fault: row.fault ?? 'invalid_user_id' }
    const { asWritten } = identity
    return asWritten !== undefined && known.has(asWritten) ? { ...row, identity: { kind: 'userId', userId: asWritten } } : row
  })
}

function kept({ mask, values, fault }: JudgedRow): Pick<StagedRow, 'mask' | 'values' | 'fault'> {
  return { mask, values, fault }
}

/** M-ENR-59: neither an email nor a number is kept. */
function identityOf(identity: Identity): string | null {
  if (identity.kind === 'userId') return identity.userId
  if (identity.kind === 'text') return hashSecret(identity.text)
  return identity.kind === 'hash' ? identity.hash : null
}

function readChunk({ startRow, rows }: Record<string, unknown>, width: number): { startRow: number; rows: string[][] } {
  const isList = Array.isArray(rows) && rows.length > 0 && rows.length <= LIMITS.enrichmentChunkRows
  if (!isList) failWith(400, `rows must be 1 to ${LIMITS.enrichmentChunkRows} arrays of cells`)
  if (!Number.isSafeInteger(startRow) || (startRow as number) < 1) failWith(400, 'startRow must be a whole number from 1')
  const last = (startRow as number) + rows.length - 1
  if (last > LIMITS.peopleImportRows)
    failWith(400, `An import has at most ${LIMITS.peopleImportRows} rows; this chunk ends with row ${last}`)
  const cells = rows.map((row: unknown, index) => {
    if (!Array.isArray(row)) failWith(400, `rows.${index} must be an array of cells`)
    if (row.length > width) failWith(400, `rows.${index} has ${row.length} cells, but headers has ${width}`)
    return row.map((cell: unknown) => textOf(cell) ?? failWith(400, `rows.${index}: a cell must be a text, a number, a boolean or null`))
  })
  return { startRow: startRow as number, rows: cells }
}

function textOf(cell: unknown): string | undefined {
  if (cell === null) return ''
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : undefined
}

/** M-ENR-35 to M-ENR-37: the dry run is made behind the answer. */
export async function matchImport(ctx: Context, by: Actor, id: string): Promise<ImportStatus> {
  return ctx.change(by, async (change) => {
    const held = await holdFor(change, id, 'match')
    await begin(change, held, { status: 'matching', found: null })
    return 'matching' as const
  })
}

/** M-ENR-61 to M-ENR-68, A-25. Undefined: the plan has no room for the people it would make. */
export async function commitImport(ctx: Context, by: Actor, id: string, body: Record<string, unknown>): Promise<ImportStatus | undefined> {
  const { createMissing = false } = body
  if (typeof createMissing !== 'boolean') failWith(400, 'createMissing must be a boolean')
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, actor, now } = change
    // The settings come before what hangs on them (LOCK_ORDER).
    const limit = createMissing ? await lockCustomerLimit(tx, workspaceId) : null
    const held = await holdFor(change, id, 'commit')
    const made = createMissing && held.mapping.identity.type === 'userId' ? (held.found?.unmatched ?? 0) : 0
    if ((held.found?.matched ?? 0) + made === 0) failWith(409, 'No row of this import matches anybody; there is nothing to write')
    const isLimited = limit !== null && held.environment === 'live' && made > 0
    if (isLimited && (await countCustomers(tx, workspaceId)) + made > limit) return undefined
    await begin(change, held, { status: 'committing', create_missing: made > 0 })
    await insertUpload(tx, await historyOf(tx, held, actor, now))
    return 'committing' as const
  })
}

/** Not to be seen in the history until it is written whole, or failed. */
async function historyOf(tx: Db, held: Import, actor: string, now: Date) {
  const { mapping, staged, found } = held
  const rejected = await listRows(tx, held.workspace_id, held.id, { after: 0, limit: LIMITS.enrichmentErrors, isRejected: true })
  const errors = rejected.map(({ row, mask, reason }) => ({ index: row, userId: mask, error: reason }))
  const days = mapping.expiresInDays
  const ends = held.expires_at ?? (days === undefined ? null : new Date(now.getTime() + days * 24 * HOUR_MS))
  return {
    workspace_id: held.workspace_id,
    id: held.id,
    kind: 'staged' as const,
    environment: held.environment,
    source: mapping.source,
    label: held.file_name,
    status: 'failed' as const,
    total_records: staged.rows,
    error_count: staged.rejected + (found?.duplicate_identity ?? 0) + (found?.ambiguous_identity ?? 0),
    errors: JSON.stringify(errors),
    names: mapping.columns.filter(({ include }) => include).map(({ name }) => name),
    expires_at: ends,
    account_id: actor,
    created_at: now,
  }
}

/** M-ENR-71, M-ENR-72. Its rows go behind the answer. */
export async function cancelImport(ctx: Context, by: Actor, id: string): Promise<ImportStatus> {
  return ctx.change(by, async (change) => {
    const held = await holdFor(change, id, 'cancel')
    await begin(change, held, { status: 'cancelled' })
    return 'cancelled' as const
  })
}

/** Due at once, from its first row. */
async function begin(change: Change, held: Import, set: Parameters<typeof queries.updateImport>[2]): Promise<void> {
  await queries.updateImport(change.tx, held, { ...set, done_row: 0, failure: null, updated_at: change.now, due_at: change.now })
  change.nudge(IMPORTS)
}

const NEEDS: Record<Exclude<ImportAct, 'finish' | 'fail'>, string> = {
  stage: 'rows are taken while it is staging',
  match: 'it is matched while it is staging or ready',
  commit: 'it is committed when it is ready',
  cancel: 'it is cancelled while it is staging, ready or failed',
}

/** Locked, and in a state in which this may be asked of it; else 409. What has lapsed is over, also before its rows are gone. */
async function holdFor({ tx, workspaceId, now }: Change, id: string, act: keyof typeof NEEDS): Promise<Import> {
  const held = await queries.lockImport(tx, workspaceId, id)
  requireState(held, act, now)
  return held
}

/** 409 where this cannot be asked of it. */
export function requireState(held: Pick<Import, 'status' | 'lapses_at'>, act: keyof typeof NEEDS, now: Date): void {
  const status = statusAt(held, now)
  if (nextImportStatus(status, act) === null) failWith(409, `The import is ${status}; ${NEEDS[act]}`)
}

/** G-46: after 24 hours an import that was not committed is over. */
export function statusAt({ status, lapses_at }: Pick<Import, 'status' | 'lapses_at'>, now: Date): ImportStatus {
  return lapses_at <= now && (status === 'staging' || status === 'ready') ? 'cancelled' : status
}
