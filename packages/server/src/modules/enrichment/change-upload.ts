/** Simple uploads, and taking a load of either kind back (M-ENR-75 to M-ENR-91, G-47). */
import { textLength, type Json } from '@contentflow/core/blocks/field.ts'
import { LOADED_SOURCES } from '@contentflow/core/imports/priorities.ts'
import { readAttributeTypes, type AttributeTypes, readLoaded, type LoadedRecord } from '@contentflow/core/imports/read-records.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import { SYSTEM, type Change, type Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { oneByOne, type DueWork } from '../../infra/due/due.ts'
import { mapSteps } from '../../infra/concurrency/time-slicer.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'
import { findOwnEnvironment, holdPeople, lockUsers, resolvePeople } from '../people/index.ts'
import { SEGMENTS, recomputeNowIfSmall } from '../segments/index.ts'
import { findPriorities } from './queries-priorities.ts'
import * as queries from './queries-uploads.ts'
import type { Upload } from './queries-uploads.ts'
import { deleteValues, listLoaded, saveValues } from './queries-values.ts'
import { endInTime, followInSegments, resolve } from './resolve.ts'
import { expiryOf, valueOf } from './sources.ts'

const UPLOADS = 'uploads'
const LABEL_LENGTH = 200
const BACK_OFF = { first: 2_000, most: 300_000 }
/** A roll back of so many people is done when it is answered. */
const AWAITED = 20_000

type Sent = {
  source: string
  label: string
  types: AttributeTypes
  records: Json[]
  expiresAt: Date | null
}

export async function uploadRecords(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<Upload> {
  return write(ctx, by, await readUpload(ctx, by.workspaceId, body))
}

async function readUpload(ctx: Context, workspaceId: string, body: Record<string, unknown>): Promise<Sent> {
  const { source = null, sourceRef, attributeTypes = null, records } = body
  if (source !== null && !(LOADED_SOURCES as readonly unknown[]).includes(source))
    failWith(400, `source must be one of ${LOADED_SOURCES.join(', ')}`)
  const label = typeof sourceRef === 'string' ? sourceRef.trim() : ''
  if (label === '' || textLength(label) > LABEL_LENGTH) failWith(400, `sourceRef must be a text of 1 to ${LABEL_LENGTH} characters`)
  const types = valueOf(readAttributeTypes(attributeTypes))
  const isList = Array.isArray(records) && records.length > 0 && records.length <= LIMITS.enrichmentRecords
  if (!isList) failWith(400, `records must be 1 to ${LIMITS.enrichmentRecords} objects with userId and attributes`)
  const end = await expiryOf(ctx.db, workspaceId, body['expiresAt'])
  const expiresAt = end === undefined ? null : new Date(end)
  if (expiresAt !== null && expiresAt <= ctx.clock.now()) failWith(400, 'expiresAt must be in the future')
  return {
    source: (source as string | null) ?? LOADED_SOURCES[0],
    label,
    types,
    records: records as Json[],
    expiresAt,
  }
}

/**
 * Step by step; each is kept with what the history says of it. Until the last one is written the history calls it
 * failed, so that what a process that died left behind can be seen and rolled back.
 */
async function write(ctx: Context, by: Actor, sent: Sent): Promise<Upload> {
  const { workspaceId, actor } = by
  const judged = await ctx.timeSlicer.run(
    workspaceId,
    mapSteps(sent.records, (record, index) => readLoaded(record, index, sent.types)),
  )
  const records = judged.filter((one) => 'values' in one)
  const errors = judged.filter((one) => 'error' in one)
  const id = await ctx.change(by, async ({ tx, now }) => {
    const made = uuidv7(now.getTime())
    await queries.insertUpload(tx, {
      workspace_id: workspaceId,
      id: made,
      kind: 'simple',
      environment: await findOwnEnvironment(tx, workspaceId),
      source: sent.source,
      label: sent.label,
      status: 'failed',
      total_records: sent.records.length,
      error_count: errors.length,
      errors: JSON.stringify(errors.slice(0, LIMITS.enrichmentErrors)),
      names: [...new Set(records.flatMap(({ values }) => Object.keys(values)))].slice(0, LIMITS.enrichmentHeaders),
      attribute_types: JSON.stringify(Object.fromEntries(sent.types)),
      expires_at: sent.expiresAt,
      account_id: actor,
      created_at: now,
      finished_at: now,
    })
    // More than that cannot be run again.
    if (sent.records.length <= LIMITS.enrichmentRerunRecords)
      await queries.insertRecords(tx, workspaceId, made, sent.records.map(storedRecord))
    return made
  })
  const size = BATCH_SIZES.enrichedPeople[ctx.engine]
  for (let at = 0; at < records.length; at += size)
    await ctx.change(by, async (change) => writeSome(ctx, change, id, records.slice(at, at + size)))
  await ctx.change(by, async (change) => {
    await followInSegments(change)
    await queries.updateUpload(change.tx, workspaceId, id, { status: 'completed' })
  })
  await recomputeNowIfSmall(ctx, workspaceId, [SEGMENTS])
  endInTime(ctx, workspaceId, sent.expiresAt)
  return queries.getUpload(ctx.db, workspaceId, id)
}

/** What cannot be read is kept as nobody's, so that a rerun finds it in its place and says the same of it. */
function storedRecord(record: Json): queries.StoredRecord {
  const { userId = null, attributes = null } = typeof record === 'object' && record !== null && !Array.isArray(record) ? record : {}
  return { userId: typeof userId === 'string' ? userId.slice(0, LIMITS.userIdLength + 1) : '', attributes }
}

async function writeSome(ctx: Context, { tx, workspaceId, now }: Change, id: string, records: readonly LoadedRecord[]): Promise<void> {
  ctx.faults.check('enrichment_write')
  const { environment, source, created_at, expires_at } = await queries.lockUpload(tx, workspaceId, id)
  const said = new Map<string, LoadedRecord['values']>()
  // A person who stands there twice has the values of both, of one attribute the later.
  for (const { userId, values } of records) said.set(userId, { ...said.get(userId), ...values })
  const users = new Map((await lockUsers(tx, workspaceId, environment, [...said.keys()])).map((user) => [user.userId, user.id]))
  const values = new Map([...said].flatMap(([userId, value]) => (users.has(userId) ? [[users.get(userId) ?? '', value] as const] : [])))
  const load = { workspaceId, uploadId: id, source, loadedAt: created_at, expiresAt: expires_at }
  await saveValues(tx, load, values)
  await resolvePeople(tx, workspaceId, [...values.keys()], await findPriorities(tx, workspaceId), now)
  const written = records.filter(({ userId }) => users.has(userId)).length
  const count = [...values.values()].reduce((sum, value) => sum + Object.keys(value).length, 0)
  await queries.addWritten(tx, workspaceId, id, { written, values: count, notFound: records.length - written })
}

/** M-ENR-89 to M-ENR-91: what it held, under a new reference. */
export async function rerunUpload(ctx: Context, by: Actor, id: string): Promise<Upload> {
  const { workspaceId } = by
  const upload = await queries.getUpload(ctx.db, workspaceId, id)
  if (upload.kind === 'staged') failWith(400, 'A staged import cannot be run again; import the file again')
  if (upload.kind === 'journey') failWith(400, 'What a journey wrote cannot be run again; the journey writes it')
  if (upload.total_records > LIMITS.enrichmentRerunRecords)
    failWith(400, `Uploads of more than ${LIMITS.enrichmentRerunRecords} records cannot be run again; send them again`)
  const records = await queries.listRecords(ctx.db, workspaceId, id)
  if (records.length === 0) failWith(400, 'Nothing of this upload is left: the people it named were erased')
  const { source, label, expires_at: expiresAt, attribute_types: attributeTypes } = upload
  if (expiresAt !== null && expiresAt <= ctx.clock.now()) failWith(400, 'The values of this upload have ended; send them again')
  return write(ctx, by, { source, label, types: valueOf(readAttributeTypes(attributeTypes)), records, expiresAt })
}

/** M-ENR-86 to M-ENR-88. Of many people this goes on behind the answer. */
export async function rollBackUpload(ctx: Context, by: Actor, id: string): Promise<Upload> {
  const { workspaceId } = by
  await ctx.change(by, async (change) => {
    const { tx, now } = change
    const upload = await queries.lockUpload(tx, workspaceId, id)
    if (!upload.finished_at) failWith(409, 'This import is still being written; roll it back when it is committed')
    if (upload.status === 'rolled_back') failWith(409, 'This upload was rolled back before')
    await queries.updateUpload(tx, workspaceId, id, { status: 'rolled_back', rolled_back_at: now, due_at: now })
    change.nudge(UPLOADS)
  })
  const upload = await queries.getUpload(ctx.db, workspaceId, id)
  if (upload.written > AWAITED) return upload
  await ctx.due.workOff(UPLOADS, workspaceId)
  await recomputeNowIfSmall(ctx, workspaceId, [SEGMENTS])
  return upload
}

/** Values of loads that were rolled back go, and those of other loads come back into effect. */
export function uploadsWork(ctx: Context): DueWork<DueRow> {
  const table = dueTable<DueRow>(ctx.db, 'uploads')
  const work = oneByOne<DueRow>(ctx, { kind: UPLOADS, table, backOff: BACK_OFF }, async ({ id }, { workspaceId, signal, isOver }) => {
    while (await takeSomeBack(ctx, workspaceId, id)) {
      signal.throwIfAborted()
      if (isOver()) return ctx.clock.now()
    }
    await ctx.change({ workspaceId, actor: SYSTEM }, followInSegments)
    return null
  })
  return { kind: UPLOADS, rows: table, most: 4, yields: true, rests: true, work }
}

async function takeSomeBack(ctx: Context, workspaceId: string, id: string): Promise<boolean> {
  return ctx.change({ workspaceId, actor: SYSTEM }, async ({ tx, now }) => {
    const people = await listLoaded(tx, workspaceId, id, BATCH_SIZES.enrichedPeople[ctx.engine])
    if (people.length === 0) return false
    await holdPeople(tx, workspaceId, people)
    await deleteValues(tx, workspaceId, id, people)
    await resolve(tx, workspaceId, people, now)
    await ctx.faults.reach(`${UPLOADS}: step`)
    return true
  })
}
