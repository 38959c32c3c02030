import { sql } from 'kysely'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Db } from '../../../db/open.ts'
import { toInstance, type Instance } from '../revisions/queries-instances.ts'

/** The published content of instances that have a newer draft, by instance. */
export type Served = { live: InstanceContent | null; test: InstanceContent | null }

export async function listServedContents(db: Db, workspaceId: string): Promise<Map<string, Served>> {
  const contentOf = (pointer: 'live_revision' | 'test_revision') => sql`(
    select content from instance_revisions r
    where r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = i.${sql.ref(pointer)})`
  const { rows } = await sql<Served & { id: string }>`
    select id, ${contentOf('live_revision')} as live, ${contentOf('test_revision')} as test from block_instances i
    where workspace_id = ${workspaceId} and deleted_at is null and (live_revision <> version or test_revision <> version)`.execute(db)
  return new Map(rows.map(({ id, ...served }) => [id, served]))
}

/** Lists those of these instances that are deleted and can still be brought back, of any type. */
export async function listDeleted(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, Instance>> {
  const rows = await tx
    .selectFrom('block_instances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('deleted_at', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.id, toInstance(row)]))
}
