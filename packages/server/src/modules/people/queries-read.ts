import { sql } from 'kysely'
import {
  FOLD_FROM,
  FOLD_TO,
  readNameSearch,
  type NamePart,
  SOUND_FROM,
  SOUND_MARK,
  SOUND_TO,
} from '@contentflow/core/identity/search-names.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import type { DeviceRow, ProfileRow } from './queries.ts'

/** A device with its user and with what is known of its push token; never the token. */
export type DeviceWithPush = DeviceRow & {
  user_id: string | null
  push_platform: string | null
  push_provider: string | null
  push_registered_at: Date | null
}

function devices(db: Db, workspaceId: string) {
  return db
    .selectFrom('devices')
    .leftJoin('profiles', (join) => join.on('profiles.workspace_id', '=', workspaceId).onRef('profiles.id', '=', 'devices.profile_id'))
    .leftJoin('push_registrations', (join) =>
      join.on('push_registrations.workspace_id', '=', workspaceId).onRef('push_registrations.device_id', '=', 'devices.device_id'),
    )
    .selectAll('devices')
    .select([
      'profiles.user_id',
      'push_registrations.platform as push_platform',
      'push_registrations.provider as push_provider',
      'push_registrations.registered_at as push_registered_at',
    ])
    .where('devices.workspace_id', '=', workspaceId)
}

export async function findDeviceWithPush(
  db: Db,
  workspaceId: string,
  environment: Environment,
  deviceId: string,
): Promise<DeviceWithPush | undefined> {
  return devices(db, workspaceId)
    .where('devices.environment', '=', environment)
    .where('devices.device_id', '=', deviceId)
    .executeTakeFirst()
}

/** Newest first. */
export async function listDevicesWithPush(db: Db, workspaceId: string, profileId: string): Promise<DeviceWithPush[]> {
  return devices(db, workspaceId)
    .where('devices.profile_id', '=', profileId)
    .orderBy('devices.last_seen_at', 'desc')
    .orderBy('devices.device_id')
    .execute()
}

export type PersonRow = Pick<ProfileRow, 'id' | 'user_id' | 'device_id' | 'name' | 'email' | 'phone' | 'last_seen_at' | 'created_at'>

/** A search for people: a text, and the phone numbers that it may stand for. */
export type PeopleSearch = { text: string; phones: readonly string[] }

/** The words of a name as the index has them. */
const NAME_WORDS = sql`to_tsvector('simple', translate(lower(name), ${sql.lit(FOLD_FROM)}, ${sql.lit(FOLD_TO)}) || ' ' ||
  regexp_replace(regexp_replace(regexp_replace(translate(
    regexp_replace(regexp_replace(lower(name), '([sktdg])h', '\\1', 'g'), '(^|[ -])ال', '\\1', 'g'),
    ${sql.lit(SOUND_FROM)}, ${sql.lit(SOUND_TO)}),
    '(.)\\1+', '\\1', 'g'), 'h($|[ -])', '\\1', 'g'), '(^|[ -])([a-z])', '\\1zq\\2', 'g'))`

/** Pages people in the order they came, newest first. A search with very many matches finds only some of them. */
export async function pagePeople(
  db: Db,
  workspaceId: string,
  environment: Environment,
  { search, before, limit }: { search: PeopleSearch | undefined; before: string | undefined; limit: number },
): Promise<Paged<PersonRow>> {
  const all = db
    .selectFrom('profiles')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .$if(search !== undefined, (query) => query.where('id', 'in', found(workspaceId, environment, search ?? { text: '', phones: [] })))
  const rows = await all
    .select(['id', 'user_id', 'device_id', 'name', 'email', 'phone', 'last_seen_at', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await all.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return paged(rows, limit, total, ({ id }) => id)
}

/** Sorts after every text with the same beginning. */
const LAST_CHARACTER = '\u{10ffff}'
/** People that a search finds by each of these texts: the first in the alphabet, so that one letter costs the database no more than a name. */
const FOUND_BY_EACH = 1_000

function asQuery({ whole, apart }: NamePart, mark: string): string {
  const begins = (word: string) => `${mark}${word}:*`
  return apart ? `(${begins(whole)} | (${apart.map(begins).join(' & ')}))` : begins(whole)
}

/** Ids of people whose user id, email, name or a word of the name begins with the text, whose name sounds like it in the other script, who have one of these phone numbers, or a device with exactly this id: each found by an index. */
function found(workspaceId: string, environment: Environment, { text, phones }: PeopleSearch) {
  const people = sql`select id from profiles where workspace_id = ${workspaceId} and environment = ${environment}`
  const beginning = ['user_id', 'email', 'name'].map((column) => {
    const lower = sql`lower(${sql.ref(column)})`
    return sql`(${people} and ${sql.ref(column)} is not null
      and ${lower} ~>=~ lower(${text}::text) and ${lower} ~<~ (lower(${text}::text) || ${LAST_CHARACTER}::text)
      order by ${lower} using ~<~ limit ${FOUND_BY_EACH})`
  })
  const { words, sounds, isArabic } = readNameSearch(text)
  const named = (parts: readonly NamePart[], mark = '') =>
    sql`${people} and name is not null and ${NAME_WORDS} @@ to_tsquery('simple', ${parts.map((part) => asQuery(part, mark)).join(' & ')})`
  const byName = [
    // One letter is the beginning of a word of nearly everybody's name.
    ...(words.some(({ whole }) => whole.length >= 2) ? [sql`(${named(words)} limit ${FOUND_BY_EACH})`] : []),
    ...(sounds.length > 0
      ? [sql`(${named(sounds, SOUND_MARK)} and (name ~ '[\u0600-\u06ff]') <> ${isArabic} limit ${FOUND_BY_EACH})`]
      : []),
  ]
  return sql<string>`(${sql.join([...beginning, ...byName], sql` union all `)}
    union all (${people} and phone = any(${[...phones]}::text[]) limit ${FOUND_BY_EACH})
    union all ${people} and device_id = ${text}
    union all select profile_id from devices
      where workspace_id = ${workspaceId} and environment = ${environment} and device_id = ${text} and profile_id is not null)`
}
