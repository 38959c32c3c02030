/** What steps of journeys write of people: a load of the source `manual_api`, so that priorities, taking back and erasure hold for it. */
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Loaded, Said } from '@contentflow/core/journeys/written.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../db/open.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { findPriorities } from './queries-priorities.ts'
import { findOrInsertJourneyUpload, noteJourneyValues } from './queries-uploads.ts'
import { countValues, listCompeting, mergeValues } from './queries-values.ts'
import { resolve } from './resolve.ts'
import { holdPeople } from '../people/index.ts'

/** `expiresInDays`: how long its values stay; 0: they do not end. Of each length a journey has a load of its own. `records`: how often steps wrote something, which its report counts. */
export type JourneyLoad = { journeyId: string; name: string; expiresInDays: number; records: number }

/** Writes attributes of these people, and works out what holds for them now. What the journey wrote of other attributes stays. */
export async function saveAttributes(change: Change, load: JourneyLoad, values: ReadonlyMap<string, JsonObject>): Promise<void> {
  const { tx, workspaceId, actor, now } = change
  const people = [...values.keys()]
  // A person is locked before a load, as everywhere.
  await holdPeople(tx, workspaceId, people)
  const uploadId = await findOrInsertJourneyUpload(tx, workspaceId, load, { newId: uuidv7(now.getTime()), actor, now })
  const before = await countValues(tx, workspaceId, uploadId, people)
  const expiresAt = load.expiresInDays === 0 ? null : new Date(now.getTime() + load.expiresInDays * DAY_MS)
  await mergeValues(tx, { workspaceId, uploadId, source: 'manual_api', loadedAt: now, expiresAt }, values)
  const added = (await countValues(tx, workspaceId, uploadId, people)) - before
  const names = [...new Set([...values.values()].flatMap((said) => Object.keys(said)))]
  await noteJourneyValues(tx, workspaceId, uploadId, { records: load.records, added, names: names.slice(0, LIMITS.enrichmentHeaders) })
  await resolve(tx, workspaceId, people, now)
}

/** `now`: when it is to be written. */
type Asked = { journeyId: string; people: readonly string[]; names: readonly string[]; now: Date }

/** Locks the people, so that nothing else is loaded of them until what the journey writes is stored. Nothing when nothing is asked for. */
export async function holdLoaded(tx: Db, workspaceId: string, asked: Asked): Promise<Map<string, Loaded> | undefined> {
  if (asked.names.length === 0) return undefined
  await holdPeople(tx, workspaceId, asked.people)
  return readLoaded(tx, workspaceId, asked)
}

/**
 * What loads say of these attributes of people, as far as it matters for what holds once the journey writes some; by id of their
 * profile. Nothing when nothing is asked for.
 */
export async function readLoaded(db: Db, workspaceId: string, asked: Asked): Promise<Map<string, Loaded> | undefined> {
  if (asked.names.length === 0) return undefined
  const priorities = await findPriorities(db, workspaceId)
  const byPerson = new Map(asked.people.map((id): [string, Said[]] => [id, []]))
  for (const { id, ...said } of await listCompeting(db, workspaceId, { ...asked, priorities })) byPerson.get(id)?.push(said)
  return new Map([...byPerson].map(([id, said]) => [id, { rank: priorities.manual_api, said }]))
}
