/** Users that stand for many people: user ids such as `undefined` that a faulty app sends for everybody. */
import { sql } from 'kysely'
import { isPlaceholderId, PLACEHOLDER_DEVICES_COUNTED, PLACEHOLDER_IDS } from '@contentflow/core/identity/placeholder-ids.ts'
import { allProtections } from '@contentflow/core/protections.ts'
import type { Db } from '../../db/open.ts'

/** An id is reported once it has so many devices: the few of a tester say nothing about an app. */
const DEVICES_OF_MANY = 20
/** How many ids are reported. */
const TOLD = 10
/** How many ids have their devices counted, because whoever has an app key may create any number of them. */
const IDS_COUNTED = 100

export type Placeholder = { userId: string; devices: number }

/** Sorted by devices, most first. The index of lower-case ids finds both: the known words, and ids of ASCII blanks, which sort before `!`. */
export async function listPlaceholders(db: Db, workspaceId: string, environment: 'live' | 'test'): Promise<Placeholder[]> {
  const ids = sql`select id, user_id from profiles
    where workspace_id = ${workspaceId} and environment = ${environment} and user_id is not null`
  const { rows } = await sql<Placeholder>`
    select p.user_id as "userId",
      (select count(*)::int from (
        select 1 from devices d where d.workspace_id = ${workspaceId} and d.profile_id = p.id limit ${PLACEHOLDER_DEVICES_COUNTED}) counted) as devices
    from ((${ids} and lower(user_id) = any(${[...PLACEHOLDER_IDS]}::text[]) limit ${IDS_COUNTED})
      union (${ids} and lower(user_id) ~<~ '!' and user_id !~ '[^[:space:]]' limit ${IDS_COUNTED})) p`.execute(db)
  return rows
    .filter(({ userId, devices }) => devices >= DEVICES_OF_MANY && isPlaceholderId(userId))
    .toSorted((a, b) => b.devices - a.devices)
    .slice(0, TOLD)
}

/** Whether the protection of that name is on. */
export async function refusesPlaceholderIds(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db.selectFrom('workspaces').where('id', '=', workspaceId).select('protections').executeTakeFirst()
  return allProtections(row?.protections ?? {}).refusePlaceholderIds
}

/** Those of `userIds` that exist, compared exactly. */
export async function listKnownUserIds(db: Db, workspaceId: string, environment: string, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ user_id: string }>`
    select user_id from profiles
    where workspace_id = ${workspaceId} and environment = ${environment} and user_id = any(${[...userIds]}::text[])`.execute(db)
  return new Set(rows.map(({ user_id }) => user_id))
}
