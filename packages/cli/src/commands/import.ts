import { readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { confirm, isCancel } from '@clack/prompts'
import { suggestMapping } from '@contentflow/core/imports/suggest-mapping.ts'
import { parseCsv } from '@contentflow/core/strings/parse-csv.ts'
import { openApi, type Api } from '../api.ts'
import { readValue } from '../files.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean; mapping?: string; createMissing?: boolean; test?: boolean; dryRun?: boolean; yes?: boolean }
type Mapping = {
  identity: { column: string; type: string }
  columns: { column: string; name: string; type: string; include?: boolean; pii?: boolean }[]
}
type Import = {
  importId: string
  status: string
  doneRows: number
  counts: { rows: number; valid: number; rejected: number; duplicates: number; matched: number; unmatched: number; matchRate: number }
  rejectReasons: Record<string, number>
}

/** Rows that are enough to guess the content of a column. */
const LOOKED_AT = 1_000
const EVERY_MS = 500
const UPLOAD_SECONDS = 600

/** Uploads, shows what the import would do, asks, and writes. Nothing is written before the user agrees. */
export async function importFile(io: Io, options: Options, file: string): Promise<Exit> {
  const bytes = readBytes(io, file)
  const { header, mapping } = readMapping(io, options, file, bytes)
  const api = openApi(io)
  const { importId } = await api.call<Import>('member', 'POST', '/api/v1/enrichment/imports', {
    body: { fileName: basename(file), headers: header, mapping, ...(options.test && { env: 'test' }) },
  })
  const path = `/api/v1/enrichment/imports/${importId}`
  let isOver = false
  try {
    printText(io, options, `Uploading ${basename(file)} (${bytes.length} bytes)\n`)
    await api.call('member', 'POST', `${path}/file`, { file: { bytes, type: 'text/csv' }, seconds: UPLOAD_SECONDS })
    await api.call('member', 'POST', `${path}/match`)
    const ready = await follow(io, options, api, path, 'ready')
    showDryRun(io, options, ready)
    if (options.dryRun) return SAME
    await confirmImport(io, options, ready)
    await api.call('member', 'POST', `${path}/commit`, { body: { createMissing: options.createMissing === true } })
    isOver = true
    const done = await follow(io, options, api, path, 'committed')
    io.out(
      options.json
        ? `${JSON.stringify({ importId, status: done.status, counts: done.counts })}\n`
        : `Written. To take it back: DELETE /api/v1/enrichment/uploads/${importId}\n`,
    )
    return SAME
  } finally {
    // Its rows would lie there for a day.
    if (!isOver) await api.ask('member', 'DELETE', path)
  }
}

function readBytes(io: Io, file: string): Uint8Array<ArrayBuffer> {
  const path = resolve(io.cwd, file)
  if (!/\.(csv|tsv|txt)$/i.test(file) && extname(file) !== '')
    throw new Problem(`${file} must be a CSV file; save a spreadsheet as one, or upload it in the dashboard as it is`, 'FILE')
  try {
    if (statSync(path).size === 0) throw new Problem(`${file} is empty`, 'FILE')
    return new Uint8Array(readFileSync(path))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(`${file} cannot be read: ${(error as Error).message}`, 'FILE')
  }
}

function readMapping(io: Io, options: Options, file: string, bytes: Uint8Array): { header: string[]; mapping: Mapping } {
  const read = parseCsv(new TextDecoder().decode(bytes), LOOKED_AT)
  if (!read.ok) throw new Problem(`${file}, line ${read.line}: ${read.error}`, 'FILE')
  const { header, rows } = read.table
  if (options.mapping !== undefined) return { header, mapping: readValue(io, options.mapping) as Mapping }
  const columns = header.map((name, at) => ({ name, values: rows.slice(0, LOOKED_AT).map(({ cells }) => cells[at] ?? '') }))
  const { identity, columns: suggested } = suggestMapping(columns)
  if (!identity)
    throw new Problem(
      `No column of ${file} says whom a row is about. Write what the columns mean, and name that file with --mapping`,
      'FILE',
    )
  const mapping = {
    identity: { column: header[identity.at] ?? '', type: identity.type },
    columns: suggested.flatMap(({ name, type, pii }, at) => (at === identity.at ? [] : [{ column: header[at] ?? '', name, type, pii }])),
  }
  printText(io, options, `${mapping.identity.column} → ${mapping.identity.type}\n`)
  for (const { column, name, type, pii } of mapping.columns)
    printText(io, options, `${column} → enrichment.${name} (${type}${pii ? ', masked' : ''})\n`)
  return { header, mapping }
}

/** Waits until it is `wanted`, and says how far it is. */
async function follow(io: Io, options: Options, api: Api, path: string, wanted: string): Promise<Import> {
  for (let told = -1; ;) {
    const found = await api.call<Import>('member', 'GET', path)
    if (found.status === wanted) return found
    if (found.status === 'failed' || found.status === 'cancelled')
      throw new Problem(
        `The import has ${found.status}. Nothing more is written; take back what was with DELETE /api/v1/enrichment/uploads/${found.importId}`,
      )
    if (found.doneRows !== told) printText(io, options, `${found.status}: ${found.doneRows} of ${found.counts.rows} rows\n`)
    told = found.doneRows
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

function showDryRun(io: Io, { json }: Options, { importId, counts, rejectReasons }: Import): void {
  if (json) return io.out(`${JSON.stringify({ importId, dryRun: counts, rejectReasons })}\n`)
  io.out(`${counts.rows} rows: ${counts.matched} match somebody, ${counts.unmatched} nobody, ${counts.rejected} rejected\n`)
  for (const [reason, count] of Object.entries(rejectReasons)) io.out(`  ${count} ${reason}\n`)
}

async function confirmImport(io: Io, { yes }: Options, { counts }: Import): Promise<void> {
  if (yes) return
  if (!io.isTerminal)
    throw new Problem('Nothing was written: nobody can be asked here. Look at the numbers, then run it with --yes', 'UNCONFIRMED')
  const answer = await confirm({ message: `Write ${counts.matched} rows?`, initialValue: false })
  if (isCancel(answer) || !answer) throw new Problem('Nothing was written', 'UNCONFIRMED')
}

/** Prints progress for people; a program only wants the results. */
function printText(io: Io, { json }: Options, text: string): void {
  if (!json) io.out(text)
}
