/** Mappings saved under a name (M-SRC). */
import { misfitOf, readExpiry, readMapping } from '@contentflow/core/imports/mapping.ts'
import { isPlainObject, textLength } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import type { Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { zoneOfDays } from '../calendar/index.ts'
import * as queries from './queries-sources.ts'
import type { SavedSource } from './queries-sources.ts'

const TAKEN = 'A source with this name exists'

export async function createSource(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<SavedSource> {
  const name = readSourceName('name', body['name'])
  const mapping = await mappingIn(ctx.db, by.workspaceId, body['mapping'])
  return ctx.change(by, async ({ tx, workspaceId, now }) => saveAs(tx, workspaceId, name, mapping, now))
}

/** In the transaction of whoever makes it. 409 when the name is taken. */
export async function saveAs(tx: Db, workspaceId: string, name: string, mapping: SavedSource['mapping'], now: Date): Promise<SavedSource> {
  const source = { id: uuidv7(now.getTime()), name, mapping, createdAt: now, updatedAt: now }
  return (await queries.insertSource(tx, workspaceId, source)) ? source : failWith(409, TAKEN)
}

/** What is left out stays (G-48). */
export async function changeSource(ctx: Context, by: Actor, id: string, body: Record<string, unknown>): Promise<SavedSource> {
  return ctx.change(by, async ({ tx, workspaceId, now }) => {
    const before = await queries.getSource(tx, workspaceId, id)
    const { name, mapping } = body
    const source = {
      ...before,
      ...(name !== undefined && { name: readSourceName('name', name) }),
      ...(mapping !== undefined && { mapping: await mappingIn(tx, workspaceId, mapping) }),
      updatedAt: now,
    }
    return (await queries.updateSource(tx, workspaceId, source)) ? source : failWith(409, TAKEN)
  })
}

/** A mapping that was sent; a day on which it ends is one of the workspace (G-90). */
export async function mappingIn(db: Db, workspaceId: string, sent: unknown): Promise<SavedSource['mapping']> {
  const expiresAt = isPlainObject(sent) && typeof sent['expiresAt'] === 'string' ? sent['expiresAt'].trim() : undefined
  return valueOf(readMapping(sent, await zoneOfDays(db, workspaceId, expiresAt)))
}

/** Until when what is loaded holds, where its body says it. */
export async function expiryOf(db: Db, workspaceId: string, sent: unknown): Promise<string | undefined> {
  const text = typeof sent === 'string' ? sent.trim() : sent
  return valueOf(readExpiry('expiresAt', text, await zoneOfDays(db, workspaceId, text)))
}

/** M-SRC-07. */
export function readSourceName(member: string, sent: unknown): string {
  const name = typeof sent === 'string' ? sent.trim() : ''
  if (name === '' || textLength(name) > LIMITS.sourceNameLength)
    failWith(400, `${member} must be a text of 1 to ${LIMITS.sourceNameLength} characters`)
  return name
}

/** Refuses headers that lack a column the mapping names. */
export function fit(mapping: SavedSource['mapping'], headers: readonly string[]): void {
  const misfit = misfitOf(mapping, headers)
  if (misfit !== undefined) failWith(400, misfit)
}

export function valueOf<T>(read: { ok: true; value: T } | { ok: false; error: string }): T {
  return read.ok ? read.value : failWith(400, read.error)
}
