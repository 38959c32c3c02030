import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { replaceOdd } from '@contentflow/core/json/odd-characters.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { readCsv } from '@contentflow/core/strings/parse-csv.ts'
import { planSync, type Languages, type StringRow } from '@contentflow/core/strings/plan-sync.ts'
import {
  counts,
  describeRows,
  ImportTally,
  readImport,
  type ImportEffect,
  type ImportRow,
  type ImportSummary,
} from '@contentflow/core/strings/read-import.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { readOnce } from '../../../infra/once/once.ts'
import { fail, failWith } from '../../../errors.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { Actor } from '../../../infra/change.ts'
import { changeCatalog } from '../change-catalog.ts'
import { partsOf } from '../parts.ts'
import { findLanguages, findStored } from '../queries.ts'
import * as queries from './queries-imports.ts'
import type { StringsImport } from './queries-imports.ts'
import { requireRoom, writeRows } from '../pipeline/sync-strings.ts'

const FILE_NAME_LENGTH = 200

/** Takes a file in and says what it would do; nothing of it is written yet (G-40). */
export async function createImport(ctx: Context, by: Actor, body: unknown): Promise<StringsImport> {
  const { workspaceId, actor: createdBy } = by
  const { csv, fileName } = readBody(body)
  const rows = await ctx.timeSlicer.run(workspaceId, readFile(csv))
  const made = await readOnce(ctx.db, async () => {
    const now = ctx.clock.now()
    if (await queries.hasPendingImport(ctx.db, workspaceId, now)) fail('IMPORT_ALREADY_PENDING')
    const summary = await summarizeImport(ctx, workspaceId, rows)
    ctx.metrics.replacedTexts.inc(summary.replacedTexts ?? 0)
    const expiresAt = new Date(now.getTime() + LIMITS.importHours * HOUR_MS)
    return { id: uuidv7(now.getTime()), fileName, summary, createdBy, createdAt: now, expiresAt }
  })
  await ctx.change({ ...by, isBrief: true }, async ({ tx, audited }) => {
    audited('strings-import', made.id)
    await queries.lapseImports(tx, workspaceId, made.createdAt)
    if (!(await queries.insertImport(tx, workspaceId, { ...made, csv: replaceOdd(csv) }))) fail('IMPORT_ALREADY_PENDING')
    await queries.forgetImports(tx, workspaceId)
  })
  return { ...made, status: 'pending', finishedAt: null }
}

/** Plans the file against what is stored at this moment, and writes all of it or nothing (M-STRS-42). */
export async function applyImport(ctx: Context, by: Actor, id: string): Promise<StringsImport> {
  const { workspaceId } = by
  const { pending, csv } = await readOnce(ctx.db, async () => {
    const found = await existingPending(ctx, workspaceId, id)
    return { pending: found, csv: (await queries.findCsv(ctx.db, workspaceId, id)) ?? notPending(found) }
  })
  const rows = await ctx.timeSlicer.run(workspaceId, readFile(csv))
  await changeCatalog(ctx, by, async (change, catalog) => {
    const tally = new ImportTally(rows)
    for (const part of partsOf(rows.filter(counts), catalog.locales.length)) {
      const written = part.map(({ row }) => row)
      tally.add(part, await writeRows(ctx, change, catalog, written, 'review'))
    }
    const { replacedTexts } = pending.summary
    const applied = { status: 'applied' as const, summary: { ...tally.summary(), ...(replacedTexts !== undefined && { replacedTexts }) } }
    if (applied.summary.created > 0) await requireRoom(change)
    // Somebody else may have applied or cancelled it meanwhile: then this transaction is rolled back.
    if (!(await queries.finishImport(change.tx, workspaceId, id, applied, change.now))) notPending(pending)
  })
  return queries.getImport(ctx.db, workspaceId, id, ctx.clock.now())
}

export async function cancelImport(ctx: Context, by: Actor, id: string): Promise<StringsImport> {
  const { workspaceId } = by
  const now = ctx.clock.now()
  const pending = await existingPending(ctx, workspaceId, id)
  await ctx.change({ ...by, isBrief: true }, async ({ tx, audited }) => {
    audited('strings-import', id)
    if (!(await queries.finishImport(tx, workspaceId, id, { status: 'cancelled' }, now))) notPending(pending)
  })
  return queries.getImport(ctx.db, workspaceId, id, now)
}

export type Effects = { rows: ImportEffect[]; next: string | null; total: number }

/** What each row of a pending import would do now, in the order of the file. The cursor is a line number. */
export async function previewImport(
  ctx: Context,
  workspaceId: string,
  { id, status }: StringsImport,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Effects> {
  const csv = status === 'pending' ? await queries.findCsv(ctx.db, workspaceId, id) : null
  if (csv === null) return { rows: [], next: null, total: 0 }
  const all = await ctx.timeSlicer.run(workspaceId, readFile(csv))
  const from = after === undefined ? 0 : Number(after)
  const rows = all.filter(({ line }) => line > from).slice(0, limit + 1)
  const shown = rows.slice(0, limit)
  const languages = await findLanguages(ctx.db, workspaceId)
  const effects: ImportEffect[] = []
  for (const part of partsOf(shown, languages.locales.length))
    effects.push(...describeRows(part, await planRows(ctx, workspaceId, languages, part.filter(counts))))
  return { rows: effects, next: rows.length > limit ? String(shown.at(-1)?.line ?? '') : null, total: all.length }
}

function readBody(body: unknown): { csv: string; fileName: string | null } {
  const { csv, fileName = null } = isPlainObject(body)
    ? body
    : failWith(400, 'The body must be a JSON object {csv, fileName?}, or a file as text/csv')
  if (typeof csv !== 'string') failWith(400, 'csv must be the text of a CSV file')
  if (fileName !== null && (typeof fileName !== 'string' || fileName.length > FILE_NAME_LENGTH))
    failWith(400, `fileName must be a string of at most ${FILE_NAME_LENGTH} characters`)
  if (Buffer.byteLength(csv) > LIMITS.importBytes) failWith(413, `The file is larger than ${LIMITS.importBytes} bytes`)
  return { csv, fileName }
}

function* readFile(csv: string): Generator<undefined, ImportRow[]> {
  const parsed = yield* readCsv(csv, LIMITS.stringsImportRows)
  if (!parsed.ok) return failWith(400, `line ${parsed.line}: ${parsed.error}`)
  const read = yield* readImport(parsed.table)
  if (!read.ok) return failWith(400, read.error)
  if (read.rows.length > LIMITS.stringsImportRows) failWith(400, `An import has at most ${LIMITS.stringsImportRows} rows`)
  return read.rows
}

async function summarizeImport(ctx: Context, workspaceId: string, rows: readonly ImportRow[]): Promise<ImportSummary> {
  const tally = new ImportTally(rows)
  const languages = await findLanguages(ctx.db, workspaceId)
  for (const part of partsOf(rows.filter(counts), languages.locales.length))
    tally.add(part, await planRows(ctx, workspaceId, languages, part))
  return tally.summary()
}

async function planRows(ctx: Context, workspaceId: string, languages: Languages, counted: readonly { key: string; row: StringRow }[]) {
  const keys = counted.map(({ key }) => key)
  const stored = await findStored(ctx.db, workspaceId, keys, languages.locales)
  const rows = counted.map(({ row }) => row)
  return ctx.timeSlicer.run(workspaceId, planSync(rows, stored, languages, 'review'))
}

async function existingPending(ctx: Context, workspaceId: string, id: string): Promise<StringsImport> {
  const found = await queries.getImport(ctx.db, workspaceId, id, ctx.clock.now())
  return found.status === 'pending' ? found : notPending(found)
}

function notPending({ status }: StringsImport): never {
  return fail('IMPORT_OVER', {
    message: status === 'pending' ? 'The import was finished meanwhile' : `The import is ${status}; send the file again`,
  })
}
