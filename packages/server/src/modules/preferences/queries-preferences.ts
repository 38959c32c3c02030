import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { findNamed, findProfile, type ProfileRow } from '../people/index.ts'

/** A person by the id that a link names them by: who was merged since is the one they became. */
export async function findNamedOwner(db: Db, workspaceId: string, profileId: string): Promise<ProfileRow | undefined> {
  return findProfile(db, workspaceId, await findNamed(db, workspaceId, profileId))
}

/** Whether any device of a person takes push messages. */
export async function hasPushDevice(tx: Db, workspaceId: string, profileId: string): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists(select from push_registrations where workspace_id = ${workspaceId} and profile_id = ${profileId}) as "isThere"`.execute(
    tx,
  )
  return rows[0]?.isThere === true
}

export async function findWorkspaceName(db: Db, workspaceId: string): Promise<string> {
  const row = await db.selectFrom('workspaces').select('name').where('id', '=', workspaceId).executeTakeFirst()
  return row?.name ?? ''
}
