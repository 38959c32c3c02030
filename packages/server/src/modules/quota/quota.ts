import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import type { Change, Head } from '../../infra/change.ts'
import { addBytes, findGrantedMegabytes, insertBytes, measure, setBytes, type Parts } from './queries.ts'

const MEGABYTE = 1_000_000

/**
 * Says that a change writes so many bytes of content, texts, campaigns, journeys or segments, which every process may come to
 * hold whole. When the workspace then holds more than it may, nothing of the change is kept: 409 `WORKSPACE_FULL`.
 */
export function takeRoom(change: Change, bytes: number): void {
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
export async function readUsage({ db }: Pick<Context, 'db'>, workspaceId: string): Promise<{ held: number; most: number; parts: Parts }> {
  const [parts, most] = [await measure(db, workspaceId), await findMost(db, workspaceId)]
  return { held: sumOf(parts), most, parts }
}

async function findMost(db: Db, workspaceId: string): Promise<number> {
  return ((await findGrantedMegabytes(db, workspaceId)) ?? LIMITS.workspaceMegabytes) * MEGABYTE
}

function sumOf(parts: Parts): number {
  return Object.values(parts).reduce((sum, each) => sum + each, 0)
}

/**
 * What is written counts, and what it takes the place of does not stop counting: so no write has to know what was there. Only
 * who comes near the bound by that count is measured.
 */
const sizeHead: Head<number> = {
  lock: 'size',
  move: async ({ tx, workspaceId }, written) => {
    const bytes = written.reduce((sum, each) => sum + each, 0)
    const known = await addBytes(tx, workspaceId, bytes)
    const most = await findMost(tx, workspaceId)
    if (known !== undefined && known <= most) return
    const held = sumOf(await measure(tx, workspaceId))
    if (held > most) fail('WORKSPACE_FULL')
    if (known === undefined) await insertBytes(tx, workspaceId, held)
    else await setBytes(tx, workspaceId, held)
  },
}
