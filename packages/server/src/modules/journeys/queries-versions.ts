/** The versions of journeys. */
import { sql } from 'kysely'
import type { Changes } from '@contentflow/core/journeys/changes.ts'
import type { Journey } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import type { StoredJourney } from './queries.ts'

type By = { tx: Db; workspaceId: string; actor: string; now: Date }
/** `changes`: since the version before; null: this is the first. */
export type Version = { version: number; changedBy: string; changedAt: Date; changes: Changes | null }

/** Deletes the oldest versions beyond those that are kept. */
export async function insertVersion(
  { tx, workspaceId, actor, now }: By,
  { id, version, name, trigger, steps, goal, entry, exitOn }: StoredJourney,
  changes: Changes | null,
  isAutosave = false,
): Promise<void> {
  await tx
    .insertInto('journey_versions')
    .values({
      workspace_id: workspaceId,
      journey_id: id,
      version,
      definition: JSON.stringify({
        name,
        trigger,
        steps,
        goal,
        ...(entry && { entry }),
        ...(exitOn?.length && { exitOn }),
      } satisfies Journey),
      changes: changes && JSON.stringify(changes),
      changed_by: actor,
      changed_at: now,
      autosaved: isAutosave,
    })
    .execute()
  await sql`
    delete from journey_versions where workspace_id = ${workspaceId} and journey_id = ${id} and version <= (
      select version from journey_versions where workspace_id = ${workspaceId} and journey_id = ${id}
      order by version desc limit 1 offset ${LIMITS.journeyVersions})`.execute(tx)
}

/**
 * The last version and its predecessor, when this member's editor saved the last one by itself after `since`: the next autosave
 * then replaces it. A version that was saved by hand is never replaced.
 */
export async function findRenewable(
  { tx, workspaceId, actor }: By,
  journeyId: string,
  since: Date,
): Promise<{ version: number; before: Journey } | undefined> {
  const [last, previous] = await of(tx, workspaceId, journeyId).selectAll().orderBy('version', 'desc').limit(2).execute()
  if (!last?.autosaved || !previous || last.changed_by !== actor || last.changed_at <= since) return undefined
  return { version: last.version, before: previous.definition as Journey }
}

/** Keeps the last version for good, because somebody saved it by hand or it ran. */
export async function keepLastVersion({ tx, workspaceId }: Pick<By, 'tx' | 'workspaceId'>, journeyId: string): Promise<void> {
  await sql`
    update journey_versions set autosaved = false
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} and autosaved and version = (
      select max(version) from journey_versions where workspace_id = ${workspaceId} and journey_id = ${journeyId})`.execute(tx)
}

export async function deleteVersion({ tx, workspaceId }: By, journeyId: string, version: number): Promise<void> {
  await tx
    .deleteFrom('journey_versions')
    .where('workspace_id', '=', workspaceId)
    .where('journey_id', '=', journeyId)
    .where('version', '=', version)
    .execute()
}

const of = (db: Db, workspaceId: string, journeyId: string) =>
  db.selectFrom('journey_versions').where('workspace_id', '=', workspaceId).where('journey_id', '=', journeyId)

/** The newest first. */
export async function pageVersions(
  db: Db,
  workspaceId: string,
  journeyId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<Version>> {
  const { total } = await of(db, workspaceId, journeyId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await of(db, workspaceId, journeyId)
    .select(['version', 'changed_by', 'changed_at', 'changes'])
    .$if(after !== undefined, (query) => query.where('version', '<', numberOf(after)))
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(rows.map(toVersion), limit, total, ({ version }) => String(version))
}

export async function getVersion(db: Db, workspaceId: string, journeyId: string, version: string): Promise<Version & Journey> {
  const row = await of(db, workspaceId, journeyId).selectAll().where('version', '=', numberOf(version)).executeTakeFirst()
  if (!row) failWith(404, 'version not found')
  return { ...toVersion(row), ...(row.definition as Journey) }
}

/** A number that no version has, for a text that is no number. */
function numberOf(text = ''): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}

function toVersion({
  version,
  changed_by,
  changed_at,
  changes,
}: {
  version: number
  changed_by: string
  changed_at: Date
  changes: unknown
}): Version {
  return { version, changedBy: changed_by, changedAt: changed_at, changes: changes as Changes | null }
}
