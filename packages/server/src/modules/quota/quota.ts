import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import type { Change, VersionRow } from '../../infra/change.ts'
import { addBytes, findGranted, insertBytes, lockGrantedMedia, measure, setBytes, sumFiles, type UsageByKind } from './queries.ts'

const MEGABYTE = 1_000_000

/**
 * Says that a change writes so many bytes of content, texts, campaigns, journeys or segments, which every process may come to
 * hold whole. When the workspace then holds more than it may, nothing of the change is kept: 409 `WORKSPACE_FULL`.
 */
export function reserveQuota(change: Change, bytes: number): void {
  change.touch(sizeHead, bytes)
}

/** Of a value as it is stored, which writes numbers out: `1e+300` has 301 digits. Texts that read like one count the same. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value)
  let bytes = Buffer.byteLength(text)
  for (const [, exponent] of text.matchAll(/\de[+-](\d{1,3})/g)) bytes += Number(exponent)
  return bytes
}

/** In bytes: what is held, of what, and what may be. Measured as it is asked for. */
export async function readUsage({ db }: Pick<Context, 'db'>, workspaceId: string): Promise<Usage> {
  const parts = await measure(db, workspaceId)
  const granted = await findGranted(db, workspaceId)
  const files = { held: await sumFiles(db, workspaceId), most: mostOfFiles(granted.media) }
  return { held: sumOf(parts), most: mostOf(granted.content), parts, files }
}

type Usage = { held: number; most: number; parts: UsageByKind; files: { held: number; most: number } }

const mostOf = (granted: number | null): number => (granted ?? LIMITS.workspaceMegabytes) * MEGABYTE
const mostOfFiles = (granted: number | null): number => (granted ?? LIMITS.libraryMegabytes) * MEGABYTE

/** `bytes`: of the file with this id, in place of what it took before. */
type File = { id: string; bytes: number }

/** Refuses with 409 `LIBRARY_FULL` a file that the library has no room for just now: before it is sent, or stored, for nothing. */
export async function requireLibraryRoom(db: Db, workspaceId: string, { id, bytes }: File): Promise<void> {
  const { media } = await findGranted(db, workspaceId)
  if ((await sumFiles(db, workspaceId, id)) + bytes > mostOfFiles(media)) fail('LIBRARY_FULL')
}

/** The same in the transaction that writes its size: of two files at once the second sees the first. */
export async function takeLibraryRoom(tx: Db, workspaceId: string, { id, bytes }: File): Promise<void> {
  const granted = await lockGrantedMedia(tx, workspaceId)
  if ((await sumFiles(tx, workspaceId, id)) + bytes > mostOfFiles(granted)) fail('LIBRARY_FULL')
}

function sumOf(parts: UsageByKind): number {
  return Object.values(parts).reduce((sum, each) => sum + each, 0)
}

/**
 * What is written counts, and what it takes the place of does not stop counting: so no write has to know what was there. Only
 * who comes near the bound by that count is measured.
 */
const sizeHead: VersionRow<number> = {
  lock: 'size',
  move: async ({ tx, workspaceId }, written) => {
    const bytes = written.reduce((sum, each) => sum + each, 0)
    const known = await addBytes(tx, workspaceId, bytes)
    const most = mostOf((await findGranted(tx, workspaceId)).content)
    if (known !== undefined && known <= most) return
    const held = sumOf(await measure(tx, workspaceId))
    if (held > most) fail('WORKSPACE_FULL')
    if (known === undefined) await insertBytes(tx, workspaceId, held)
    else await setBytes(tx, workspaceId, held)
  },
}
