import { LIMITS } from '@contentflow/core/limits.ts'
import { fail } from '../../errors.ts'
import type { Change, Head } from '../../infra/change.ts'
import { addBytes, findGrantedMegabytes, insertBytes, measure, setBytes } from './queries.ts'

const MEGABYTE = 1_000_000

/**
 * Says that a change writes so many bytes of content, texts, campaigns, journeys or segments, which every process may come to
 * hold whole. When the workspace then holds more than it may, nothing of the change is kept: 409 `WORKSPACE_FULL`.
 */
export function takeRoom(change: Change, bytes: number): void {
  change.touch(sizeHead, bytes)
}

/** Of a value as it is stored. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
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
    const most = ((await findGrantedMegabytes(tx, workspaceId)) ?? LIMITS.workspaceMegabytes) * MEGABYTE
    if (known !== undefined && known <= most) return
    const held = await measure(tx, workspaceId)
    if (held > most) fail('WORKSPACE_FULL')
    if (known === undefined) await insertBytes(tx, workspaceId, held)
    else await setBytes(tx, workspaceId, held)
  },
}
