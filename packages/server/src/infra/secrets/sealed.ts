/** Columns of sealed secrets. What an earlier key sealed is sealed with the first one, workspace by workspace. */
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/open.ts'
import type { SecretLocation, Secrets } from './secrets.ts'

/** Of a table with workspace_id and id. `placeOf`: where the secret of a row was said to stand when it was sealed. */
export type SealedColumn = { table: string; column: string; placeOf(workspaceId: string, id: string): SecretLocation }
type Sealing = { db: Db; secrets: Secrets; config: Pick<Config, 'secretKeys'> }

/** What cannot be read any more is said in the log, and left. */
export async function resealColumn({ db, secrets, config }: Sealing, column: SealedColumn): Promise<void> {
  if (config.secretKeys.length < 2) return
  const present = secrets.present()
  for (const workspaceId of await listWorkspacesSealedBefore(db, column, present))
    for (const { id, sealed } of await listSealedBefore(db, workspaceId, column, present)) {
      const next = secrets.reseal(sealed, column.placeOf(workspaceId, id))
      if (next !== undefined) await replaceSealed(db, workspaceId, column, { id, sealed, next })
    }
}

async function listWorkspacesSealedBefore(db: Db, { table, column }: SealedColumn, present: string): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select distinct workspace_id as "workspaceId" from ${sql.table(table)} where not starts_with(${sql.ref(column)}, ${present}::text)`.execute(
    db,
  )
  return rows.map(({ workspaceId }) => workspaceId)
}

async function listSealedBefore(db: Db, workspaceId: string, { table, column }: SealedColumn, present: string) {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where workspace_id = ${workspaceId} and not starts_with(${sql.ref(column)}, ${present}::text)`.execute(db)
  return rows
}

type Resealed = { id: string; sealed: string; next: string }

/** Unless it was changed meanwhile. */
async function replaceSealed(db: Db, workspaceId: string, { table, column }: SealedColumn, { id, sealed, next }: Resealed): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where workspace_id = ${workspaceId} and id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(db)
}
