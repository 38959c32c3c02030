/** What steps of journeys write of people: a load of the source `manual_api`, so that priorities, taking back and erasure hold for it. */
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { findOrInsertJourneyUpload, noteJourneyValues } from './queries-uploads.ts'
import { countValues, mergeValues } from './queries-values.ts'
import { resolve } from './resolve.ts'
import { holdPeople } from '../people/index.ts'

/** `expiresInDays`: how long its values stay; 0: they do not end. Of each length a journey has a load of its own. */
export type JourneyLoad = { journeyId: string; name: string; expiresInDays: number }

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
  await noteJourneyValues(tx, workspaceId, uploadId, { people: people.length, added, names: names.slice(0, LIMITS.enrichmentHeaders) })
  await resolve(tx, workspaceId, people, now)
}
