import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { stateOf, type UserState } from './states.ts'

type ShownUser = {
  id: string
  userName: string
  displayName: string | null
  state: UserState
  userId: string | null
  updatedAt: Date
}

/** All users of the directory, by their names, which are few enough to be read at once. */
export async function listStates(db: Db, workspaceId: string): Promise<ShownUser[]> {
  const rows = await db
    .selectFrom('scim_users')
    .leftJoin('members', (join) =>
      join
        .on('members.workspace_id', '=', workspaceId)
        .onRef('members.account_id', '=', 'scim_users.account_id')
        .on('members.invitation_hash', 'is', null),
    )
    .select(['scim_users.id', 'active', 'scim_users.account_id as linkedTo', 'members.account_id as userId', 'updated_at as updatedAt'])
    .select([sql<string>`resource ->> 'userName'`.as('userName'), sql<string | null>`resource ->> 'displayName'`.as('displayName')])
    .where('scim_users.workspace_id', '=', workspaceId)
    .orderBy('user_name_folded')
    .execute()
  return rows.map(({ active, linkedTo, userId, ...row }) => {
    const state = stateOf({ active, isLinked: linkedTo !== null, isMember: userId !== null })
    return { ...row, state, userId }
  })
}
