import { cutText } from '@contentflow/core/cut-text.ts'
import { readTag } from '@contentflow/core/locale/pick-locale.ts'
import { cleanFileName } from '@contentflow/core/media/file-name.ts'
import { rawPath } from '@contentflow/core/media/picture.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { oneByOne, type DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { requirePublisher } from '../approvals/index.ts'
import { listCampaignsHolding } from '../campaigns/index.ts'
import { listInstancesHolding } from '../content/index.ts'
import type { Library } from './library.ts'
import * as queries from './queries.ts'
import type { Asset } from './queries.ts'
import { incomingOf, objectOf } from './upload.ts'

type Actor = { workspaceId: string; actor: string; mayPublish?: boolean }
export type AssetChange = {
  fileName?: string
  alt?: Record<string, string | null>
  focalPoint?: { x: number; y: number } | null
}

const KIND = 'media'
const BACK_OFF = { first: 60_000, most: HOUR_MS }
/** When the store fails while a file is deleted, its bytes are deleted so much later. */
const LATER_MS = 60_000
/** How many uses are named; the others are counted. */
const USES_NAMED = 20

/** The first instances that use a file, how many there are, and the first campaigns that are not over. */
export async function listUses(db: Db, workspaceId: string, id: string) {
  const { instances, count } = await listInstancesHolding(db, workspaceId, rawPath(id), USES_NAMED)
  const campaigns = await listCampaignsHolding(db, workspaceId, rawPath(id), USES_NAMED)
  return { instances, instanceCount: count, campaigns }
}

async function isUsed(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { instanceCount, campaigns } = await listUses(db, workspaceId, id)
  return instanceCount + campaigns.length > 0
}

/** Members left out keep their values; a language with an empty text, or null, loses its text. */
export async function changeAsset(ctx: Context, by: Actor, id: string, { fileName, alt, focalPoint }: AssetChange): Promise<Asset> {
  return ctx.change(by, async ({ tx, now }) => {
    const before = await queries.lockAsset(tx, by.workspaceId, id)
    return queries.updateAsset(tx, by.workspaceId, id, {
      updated_at: now,
      ...(fileName !== undefined && { file_name: cleanFileName(fileName) }),
      ...(alt !== undefined && { alt: JSON.stringify(mergeAlt(before.alt as Record<string, string>, alt)) }),
      ...(focalPoint !== undefined && { focal_x: focalPoint?.x ?? null, focal_y: focalPoint?.y ?? null }),
    })
  })
}

function mergeAlt(before: Record<string, string>, change: Record<string, string | null>): Record<string, string> {
  const merged = new Map(Object.entries(before))
  for (const [sent, text] of Object.entries(change)) {
    const locale = readTag(sent) ?? failWith(400, `alt: ${JSON.stringify(cutText(sent, 50))} is no language code`)
    if (text?.trim()) merged.set(locale, text.trim())
    else merged.delete(locale)
  }
  if (merged.size > LIMITS.localesPerWorkspace) failWith(400, `alt: at most ${LIMITS.localesPerWorkspace} languages`)
  return Object.fromEntries(merged)
}

/** Deletes a file: its address answers 404 from now on. Its bytes are deleted at once or, while the store is unreachable, later. */
export async function deleteAsset(
  ctx: Context,
  library: Library,
  by: Actor,
  id: string,
  { isForced }: { isForced: boolean },
): Promise<void> {
  const asset = await ctx.change(by, async (change) => {
    const { tx, now } = change
    await queries.lockAsset(tx, by.workspaceId, id)
    if (await isUsed(tx, by.workspaceId, id)) {
      if (!isForced) fail('FILE_IN_USE')
      await requirePublisher(change)
    }
    return queries.updateAsset(tx, by.workspaceId, id, { state: 'deleted', updated_at: now, due_at: new Date(now.getTime() + LATER_MS) })
  })
  try {
    await removeBytes(ctx, library, by.workspaceId, asset)
  } catch (error) {
    ctx.log.warn(
      { err: error, workspaceId: by.workspaceId, id },
      'the bytes of a deleted file could not be removed yet; the next pass tries again',
    )
  }
}

type Stored = Pick<Asset, 'id' | 'state' | 'object' | 'variants'>

async function removeBytes(ctx: Context, { store }: Library, workspaceId: string, { id, object, variants }: Stored): Promise<void> {
  await store.remove([incomingOf(id), ...[...variants, ...(object === null ? [] : [object])].map((each) => objectOf(id, each))])
  await inTransaction(ctx.db, async (tx) => queries.forgetAsset(tx, workspaceId, id))
}

/** Removes some files of a workspace that ends, whatever uses them; says how many. */
export async function removeFiles(ctx: Context, library: Library, workspaceId: string, most: number): Promise<number> {
  const files = await queries.listSome(ctx.db, workspaceId, most)
  for (const file of files) {
    await queries.updateAsset(ctx.db, workspaceId, file.id, { state: 'deleted', updated_at: ctx.clock.now() })
    await removeBytes(ctx, library, workspaceId, file)
  }
  return files.length
}

/** Deletes uploads that were never finished, bytes sent to the address of a finished file, and bytes that could not be deleted before. */
export function mediaWork(ctx: Context, library: Library): DueWork {
  const table = queries.assetTable(ctx.db)
  const work = oneByOne(ctx, { kind: KIND, table, backOff: BACK_OFF }, async (row, { workspaceId }) => {
    if (row.state === 'ready') await library.store.remove([incomingOf(row.id)])
    else await removeBytes(ctx, library, workspaceId, row)
    return null
  })
  return { kind: KIND, rows: table, most: 50, work }
}
