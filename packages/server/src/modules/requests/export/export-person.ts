/**
 * The file of everything that is known of one person (decision 0069). It is written while it is taken and kept nowhere; what stays is
 * a receipt, which names nobody. Each statement reads a page of one table, so no connection is held for long however much there is,
 * and what is written meanwhile may stand in one of the two files of a part and not in the other.
 */
import { createHash } from 'node:crypto'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { zipOf, type ZipFile } from '../../../infra/files/zip-stream.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import { listDays } from '../../analytics/index.ts'
import { findProfile, findSubjectSalt, hashSubject, listDeviceIds, subjectOfPerson, type ProfileRow } from '../../people/index.ts'
import { OTHER_PARTS, TABLE_PARTS } from './export-parts.ts'
import {
  finishExport,
  insertExport,
  listFormerIds,
  readEvents,
  readLoadingErrors,
  readPart,
  type ExportedPart,
  type ExportTarget,
  type Row,
  type RowPage,
} from './queries-export.ts'
import { csvOf, jsonOf, shownRow } from './write-files.ts'

type PersonExport = { id: string; file: AsyncGenerator<Buffer> }

/** A part by its name, with a way to read its rows from the beginning. */
type Source = { part: string; pages(): AsyncGenerator<Row[]> }
/** The file of one person while it is written. `parts`: how much of each there is, as far as it is known. */
type Making = { ctx: Context; target: ExportTarget; profile: ProfileRow; formerIds: readonly string[]; id: string; parts: ExportedPart[] }

/** `accountId`: the admin who asks. The receipt is finished when the file was taken to its end. */
export async function exportPerson(ctx: Context, accountId: string, profile: ProfileRow): Promise<PersonExport> {
  const { workspace_id: workspaceId, environment } = profile
  const formerIds = await listFormerIds(ctx.db, workspaceId, profile.id)
  const target = await targetOf(ctx, profile)
  const now = ctx.clock.now()
  const id = uuidv7(now.getTime())
  const [subject = ''] = target.names.person
  const row = { workspace_id: workspaceId, id, environment, subject, made_by: accountId, made_at: now }
  await ctx.change({ workspaceId, actor: accountId, isBrief: true }, ({ tx }) => insertExport(tx, row))
  return { id, file: writeFile({ ctx, target, profile, formerIds, id, parts: [] }, now) }
}

async function targetOf({ db }: Context, profile: ProfileRow): Promise<ExportTarget> {
  const { workspace_id: workspaceId, environment, id, user_id: userId, device_id: deviceId, email_hash: email, phone_hash: phone } = profile
  const salt = await findSubjectSalt(db, workspaceId)
  const linked = await listDeviceIds(db, workspaceId, [id])
  const devices = [...new Set([...(deviceId === null ? [] : [deviceId]), ...linked])].sort()
  const subject = subjectOfPerson(salt, profile)
  const names = {
    profile: [id],
    device: devices,
    person: [subject],
    subject: [...new Set([subject, ...devices.map((device) => hashSubject(salt, 'device', device))])],
    user: userId === null ? [] : [userId],
    identity: [userId, email, phone].filter((name) => name !== null),
  }
  return { workspaceId, environment, names }
}

async function* writeFile(making: Making, at: Date): AsyncGenerator<Buffer> {
  const { ctx, target, profile, id, parts } = making
  const { workspaceId } = target
  const sum = createHash('sha256')
  for await (const piece of zipOf(listFiles(making, at), at)) {
    sum.update(piece)
    yield piece
  }
  // Somebody who was erased meanwhile is in no whole file.
  if (!(await findProfile(ctx.db, workspaceId, profile.id))) throw new Error('the person was erased while the file was written')
  await finishExport(ctx.db, { workspaceId, id }, { parts, sha256: sum.digest('hex'), at: ctx.clock.now() })
}

async function* listFiles(making: Making, at: Date): AsyncGenerator<ZipFile> {
  const { profile, formerIds, target, id, parts } = making
  const person = { ...shownRow(profile), formerIds }
  yield { name: 'person.json', content: [`${JSON.stringify(person, null, 2)}\n`] }
  for (const { part, pages } of sourcesOf(making)) {
    // A part of nothing has no files; the manifest says so.
    const isThere = (await pages().next()).value?.length
    const counted: ExportedPart = { part, rows: 0 }
    parts.push(counted)
    if (!isThere) continue
    yield { name: `${part}.json`, content: jsonOf(counting(pages(), counted)) }
    yield { name: `${part}.csv`, content: csvOf(pages()) }
  }
  const manifest = { exportId: id, madeAt: at, environment: target.environment, parts }
  yield { name: 'manifest.json', content: [`${JSON.stringify(manifest, null, 2)}\n`] }
}

async function* counting(pages: AsyncIterable<Row[]>, counted: ExportedPart): AsyncGenerator<Row[]> {
  for await (const rows of pages) {
    counted.rows += rows.length
    yield rows
  }
}

function sourcesOf(making: Making): Source[] {
  const { ctx, target } = making
  const ofTables = TABLE_PARTS.filter(({ environment }) => environment !== 'live' || target.environment === 'live').map((part) => ({
    part: part.name,
    pages: () => shownPages((after) => readPart(ctx.db, part, target, after), part.hides),
  }))
  const [events, errors] = OTHER_PARTS
  return [
    ...ofTables,
    { part: events, pages: () => eventsOf(making) },
    { part: errors, pages: () => shownPages(() => readLoadingErrors(ctx.db, target)) },
  ]
}

type ReadRows = (after: string[] | undefined) => Promise<RowPage>

async function* shownPages(read: ReadRows, hides?: readonly string[]): AsyncGenerator<Row[]> {
  for (let after: string[] | undefined; ;) {
    const { rows, next } = await read(after)
    if (rows.length > 0) yield rows.map((row) => shownRow(row, hides))
    if (!next) return
    after = next
  }
}

/** Day by day, because that is how events are divided. */
async function* eventsOf({ ctx, target, profile, formerIds }: Making): AsyncGenerator<Row[]> {
  const people = [profile.id, ...formerIds]
  // Days are made ahead.
  const days = await listDays(ctx.db, { from: null, until: new Date(ctx.clock.ms() + 4 * DAY_MS) })
  for (const day of days) yield* shownPages((after) => readEvents(ctx.db, target, people, { day, after }))
}
