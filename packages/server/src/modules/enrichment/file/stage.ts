/** A whole file of an import at once, for whoever does not want to cut it into chunks. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { ApiError, failWith } from '../../../errors.ts'
import { FairLimiter } from '../../../infra/concurrency/fair-limiter.ts'
import type { Actor } from '../../../infra/change.ts'
import { requireState, stageRows, type Staging } from '../change-import.ts'
import * as queries from '../queries-imports.ts'
import type { Import } from '../queries-imports.ts'
import { inspectFile, readLines, type CsvFile } from './read.ts'
import { receiveRows } from './receive.ts'

/** Characters of the cells that are judged and stored together. */
const CHUNK_LENGTH = 4_000_000

/** Files that are read at once, of all workspaces: each takes a share of the one thread. Whoever sends slowly holds nobody's turn. */
export const fileTurns = () =>
  new FairLimiter({
    all: 2,
    waitMs: 25_000,
    mostWaiting: 20,
    refuse: () => {
      throw new ApiError(429, 'Too many files are being read just now, please try again', undefined, 20)
    },
  })

/**
 * The rows of the file, as if they had come in chunks from row 1. It is read to its end before the first is stored, so
 * that of a file that is refused nothing is.
 */
export async function stageFile(ctx: Context, turns: FairLimiter, by: Actor, id: string, raw: IncomingMessage): Promise<Staging> {
  const begun = await queries.getImport(ctx.db, by.workspaceId, id)
  // Before a large file is sent for nothing; once more with each chunk.
  requireState(begun, 'stage', ctx.clock.now())
  const share = ctx.uploadSpace.open(by.workspaceId, LIMITS.enrichmentFileBytes)
  const folder = await mkdtemp(join(tmpdir(), 'contentflow-import-'))
  try {
    const path = await receiveRows(raw, folder, share)
    const file = await inspectFile(path, /;\s*charset="?([\w-]+)/i.exec(raw.headers['content-type'] ?? '')?.[1])
    return await turns.take(by.workspaceId, async () => {
      await check(file, begun.headers)
      return stageAll(ctx, by, begun, file)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    share.release()
  }
}

async function stageAll(ctx: Context, by: Actor, begun: Import, file: CsvFile): Promise<Staging> {
  let staging: Staging = { staged: 0, skipped: 0, counts: { rows: 0, rejected: 0 } }
  for await (const { startRow, rows } of chunks(file)) {
    const { staged, skipped, counts, replacedTexts = 0 } = await stageRows(ctx, by, begun, startRow, rows)
    const replaced = (staging.replacedTexts ?? 0) + replacedTexts
    const sums = { staged: staging.staged + staged, skipped: staging.skipped + skipped }
    staging = { ...sums, counts, ...(replaced > 0 && { replacedTexts: replaced }) }
  }
  return staging
}

async function check(file: CsvFile, headers: readonly string[]): Promise<void> {
  let row = -1
  for await (const cells of readLines(file)) {
    if (++row > LIMITS.peopleImportRows) failWith(400, `An import has at most ${LIMITS.peopleImportRows} rows; this file has more`)
    if (row > 0) continue
    const named = cells.map((cell) => cell.trim())
    if (named.length !== headers.length || named.some((name, at) => name !== headers[at]))
      failWith(400, `The first line of the file must have the headings of the import: ${headers.join(', ')}`)
  }
  if (row < 1) failWith(400, 'The file has no rows')
}

async function* chunks(file: CsvFile): AsyncGenerator<{ startRow: number; rows: string[][] }> {
  let [startRow, length, isHead] = [1, 0, true]
  let rows: string[][] = []
  for await (const cells of readLines(file)) {
    if (isHead) {
      isHead = false
      continue
    }
    rows.push(cells)
    for (const cell of cells) length += cell.length
    if (rows.length < LIMITS.enrichmentChunkRows && length < CHUNK_LENGTH) continue
    yield { startRow, rows }
    ;[startRow, length, rows] = [startRow + rows.length, 0, []]
  }
  if (rows.length > 0) yield { startRow, rows }
}
