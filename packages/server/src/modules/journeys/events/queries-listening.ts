/** Runs of journeys that listen to events. */
import { sql } from 'kysely'
import type { Position } from '@contentflow/core/journeys/hearing.ts'
import type { ListeningRun, Proceeding } from '@contentflow/core/journeys/proceed.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Db } from '../../../db/open.ts'

/** `isFirst`: it was begun by something else than an event, and nobody led it on yet. */
export type StoredRun = ListeningRun & { profileId: string; isFirst: boolean }

/** People of the journey who are due by then, the longest due first. */
export async function listDuePeople(tx: Db, workspaceId: string, journeyId: string, dueBy: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select profile_id as id from journey_runs where workspace_id = ${workspaceId} and journey_id = ${journeyId} and due_at <= ${dueBy}
    order by due_at limit ${limit}`.execute(tx)
  return [...new Set(rows.map(({ id }) => id))]
}

/** All runs of these people in the journey, those that are over too: they say who may enter again. Held until the transaction ends. */
export async function lockRunsOf(
  tx: Db,
  workspaceId: string,
  journeyId: string,
  people: readonly string[],
): Promise<Map<string, StoredRun[]>> {
  type Row = Omit<StoredRun, 'dueAt' | 'enteredAt' | 'convertedAt' | 'position'> & {
    dueAt: Date | null
    enteredAt: Date
    convertedAt: Date | null
    position: Position | null
  }
  const { rows } = await sql<Row>`
    select profile_id as "profileId", occasion, status, step, is_waiting as "isWaiting", reason, due_at as "dueAt", run_key as key,
      position, event, last_event as "lastEvent", entered_at as "enteredAt", converted_at as "convertedAt",
      updated_at = entered_at and event is null as "isFirst"
    from journey_runs where workspace_id = ${workspaceId} and journey_id = ${journeyId} and profile_id = any(${[...people]}::text[])
    order by profile_id, occasion for no key update`.execute(tx)
  const byPerson = new Map<string, StoredRun[]>()
  for (const row of rows) {
    const enteredAt = row.enteredAt.getTime()
    const run: StoredRun = {
      ...row,
      dueAt: row.dueAt && row.dueAt.getTime(),
      enteredAt,
      convertedAt: row.convertedAt && row.convertedAt.getTime(),
      position: row.position ?? [enteredAt, 0, 0],
    }
    const list = byPerson.get(run.profileId)
    if (list) list.push(run)
    else byPerson.set(run.profileId, [run])
  }
  return byPerson
}

export type MovedRun = Proceeding & { profileId: string }

/** Those that were there first, so that a run that begins anew finds its key free. */
export async function saveListening(tx: Db, workspaceId: string, journeyId: string, moved: readonly MovedRun[], now: Date): Promise<void> {
  const rowsOf = (isNew: boolean) =>
    JSON.stringify(moved.filter((each) => each.isNew === isNew).map(({ profileId, run }) => ({ ...run, ...momentsOf(run), profileId })))
  await sql`
    update journey_runs r set status = n.status, step = n.step, is_waiting = n."isWaiting", reason = n.reason, due_at = n."dueAt",
      position = n.position, last_event = n."lastEvent", converted_at = n."convertedAt", updated_at = ${now}
    from ${asRuns(rowsOf(false))}
    where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId} and r.profile_id = n."profileId" and r.occasion = n.occasion`.execute(
    tx,
  )
  await sql`
    insert into journey_runs (workspace_id, journey_id, profile_id, occasion, status, step, is_waiting, reason, trigger, entered_at,
      updated_at, due_at, run_key, position, event, last_event, converted_at)
    select ${workspaceId}::text, ${journeyId}::text, n."profileId", n.occasion, n.status, n.step, n."isWaiting", n.reason,
      jsonb_build_object('type', 'custom_event', 'event', n.event -> 'type'), n."enteredAt", ${now}::timestamptz, n."dueAt", n.key,
      n.position, n.event, n."lastEvent", n."convertedAt"
    from ${asRuns(rowsOf(true))} order by n."profileId", n.occasion`.execute(tx)
}

function momentsOf({ dueAt, enteredAt, convertedAt }: ListeningRun) {
  const shown = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())
  return { dueAt: shown(dueAt), enteredAt: shown(enteredAt), convertedAt: shown(convertedAt) }
}

const asRuns = (rows: string) => sql`jsonb_to_recordset(${rows}::jsonb) as n ("profileId" text, occasion integer, status text, step text,
  "isWaiting" boolean, reason text, "dueAt" timestamptz, "enteredAt" timestamptz, "convertedAt" timestamptz, key text, position jsonb,
  event jsonb, "lastEvent" jsonb)`

/** Of each of these people the newest finished runs are kept. */
export async function trimFinished(tx: Db, workspaceId: string, journeyId: string, people: readonly string[]): Promise<void> {
  await sql`
    delete from journey_runs where workspace_id = ${workspaceId} and journey_id = ${journeyId} and (profile_id, occasion) in (
      select old.profile_id, old.occasion from unnest(${[...people]}::text[]) as asked (id)
      cross join lateral (
        select profile_id, occasion from journey_runs
        where workspace_id = ${workspaceId} and journey_id = ${journeyId} and profile_id = asked.id and status <> 'active'
        order by occasion desc offset ${LIMITS.journeyRunsKept}) old)`.execute(tx)
}
