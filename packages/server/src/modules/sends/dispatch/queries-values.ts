/** What events said, of messages of journeys that name it: one row for each line of the ledger. */
import { sql } from 'kysely'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import type { Db } from '../../../db/open.ts'

export type SendValues = Pick<TokenValues, 'event' | 'lastEvent'>

/** By person. What was said first stays, as their line does. */
export async function insertSendValues(
  tx: Db,
  workspaceId: string,
  dispatchId: string,
  values: ReadonlyMap<string, object>,
): Promise<void> {
  const rows = [...values].map(([person, each]) => ({ person, values: each }))
  await sql`
    insert into send_values (workspace_id, dispatch_id, profile_id, values)
    select ${workspaceId}::text, ${dispatchId}::text, p.id, said.values
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as said (person text, values jsonb)
    join profiles p on p.workspace_id = ${workspaceId} and p.id = said.person
    on conflict do nothing`.execute(tx)
}

export async function listSendValues(
  db: Db,
  workspaceId: string,
  dispatchId: string,
  profileIds: readonly string[],
): Promise<Map<string, SendValues>> {
  const { rows } = await sql<{ id: string; values: SendValues }>`
    select profile_id as id, values from send_values
    where workspace_id = ${workspaceId} and dispatch_id = ${dispatchId} and profile_id = any(${[...profileIds]}::text[])`.execute(db)
  return new Map(rows.map(({ id, values }) => [id, values]))
}
