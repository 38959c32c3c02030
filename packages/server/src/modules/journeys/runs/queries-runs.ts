/** People in journeys. */
import { sql } from 'kysely'
import { HELD_OUT } from '@contentflow/core/experiments/holdout.ts'
import type { Run } from '@contentflow/core/journeys/advance.ts'
import type { KeptEvent } from '@contentflow/core/journeys/hearing.ts'
import type { Entry, JourneyStatus } from '@contentflow/core/journeys/journey.ts'
import { DAY_MS, MINUTE_MS } from '@contentflow/core/units.ts'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import { findPerson, type ProfileRow } from '../../people/index.ts'

/** What made a person enter (G-57). */
export type RunTrigger = { type: string; eventType?: string; fenceId?: string; source?: string; date?: string }
/** `firstStep`: where they begin; null: the journey has no steps. */
export type JourneyEntry = { workspaceId: string; journeyId: string; firstStep: string | null; now: Date }

/** Enters people into a journey, except those who are in it; returns those who were entered. */
export async function insertRuns(
  tx: Db,
  { workspaceId, journeyId, firstStep, now }: JourneyEntry,
  profileIds: readonly string[],
  trigger: RunTrigger,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into journey_runs (workspace_id, journey_id, profile_id, status, step, trigger, entered_at, updated_at, due_at)
    select ${workspaceId}, ${journeyId}, id, 'active', ${firstStep}::text, ${JSON.stringify(trigger)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from profiles p where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[])
      and ${isNew(workspaceId, journeyId)} order by id
    on conflict do nothing returning profile_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The same of people who enter again once they are out of it, as often as `entry` lets them. */
export async function insertRunsAgain(
  tx: Db,
  { workspaceId, journeyId, firstStep, now }: JourneyEntry,
  { minGapMinutes = 0, maxEntries }: Entry,
  profileIds: readonly string[],
  trigger: RunTrigger,
): Promise<string[]> {
  const theirs = sql`was.workspace_id = ${workspaceId} and was.journey_id = ${journeyId} and was.profile_id = p.id`
  const since = (ms: number) =>
    sql`${theirs} and coalesce(was.reason, '') <> 'restarted' and was.entered_at > ${new Date(now.getTime() - ms)}::timestamptz`
  const isFew = maxEntries
    ? sql`(select count(*) from journey_runs was where ${since(maxEntries.days * DAY_MS)}) < ${maxEntries.count}`
    : sql`true`
  const { rows } = await sql<{ id: string }>`
    insert into journey_runs (workspace_id, journey_id, profile_id, status, step, trigger, entered_at, updated_at, due_at, occasion)
    select ${workspaceId}, ${journeyId}, id, 'active', ${firstStep}::text, ${JSON.stringify(trigger)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
      coalesce((select max(was.occasion) + 1 from journey_runs was where ${theirs}), 0)
    from profiles p where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[])
      and not exists (select from journey_runs was where ${theirs} and was.status = 'active')
      and not exists (select from journey_runs was where ${since(minGapMinutes * MINUTE_MS)}) and ${isFew} order by id
    on conflict do nothing returning profile_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whether the person `p` was never in the journey. Beside the key, because runs of other occasions have another one. */
export const isNew = (workspaceId: string, journeyId: string) => sql`not exists (
  select from journey_runs was where was.workspace_id = ${workspaceId} and was.journey_id = ${journeyId} and was.profile_id = p.id)`

/** Live people of these user ids. */
export async function listUsers(db: Db, workspaceId: string, userIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ userId: string; id: string }>`
    select user_id as "userId", id from profiles
    where workspace_id = ${workspaceId} and environment = 'live' and user_id = any(${[...userIds]}::text[])`.execute(db)
  return new Map(rows.map(({ userId, id }) => [userId, id]))
}

/** The first live people of a segment: user id, or device id of an anonymous person, by profile. */
export async function listMembers(db: Db, workspaceId: string, segmentId: string, limit: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select p.id, coalesce(p.user_id, p.device_id, p.id) as name
    from segment_members m join profiles p on p.workspace_id = ${workspaceId} and p.id = m.profile_id
    where m.workspace_id = ${workspaceId} and m.segment_id = ${segmentId} and m.is_member and p.environment = 'live'
    order by p.id limit ${limit}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type StepCount = { step: string | null; status: Run['status']; isWaiting: boolean; count: number }

/** Of each person only the latest run; each run where a person has one for each cart or order. */
const isCounted = (workspaceId: string, isEach: boolean) =>
  isEach
    ? sql`true`
    : sql`not exists (select from journey_runs later where later.workspace_id = ${workspaceId} and later.journey_id = r.journey_id
        and later.profile_id = r.profile_id and later.occasion > r.occasion)`

/** How many people of a journey are where. */
export async function countRuns(db: Db, workspaceId: string, journeyId: string, isEach: boolean): Promise<StepCount[]> {
  const { rows } = await sql<StepCount>`
    select step, status, is_waiting as "isWaiting", count(*)::integer as count from journey_runs r
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} and ${isCounted(workspaceId, isEach)} group by 1, 2, 3 order by 1, 2, 3`.execute(
    db,
  )
  return rows
}

/** Adds the people who came to steps, by step. */
export async function addEntered(tx: Db, workspaceId: string, journeyId: string, counts: ReadonlyMap<string, number>): Promise<void> {
  if (counts.size === 0) return
  await sql`
    insert into journey_step_counts as c (workspace_id, journey_id, step_id, entered)
    select ${workspaceId}, ${journeyId}, n.step_id, n.entered
    from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::bigint[]) as n (step_id, entered)
    on conflict (workspace_id, journey_id, step_id) do update set entered = c.entered + excluded.entered`.execute(tx)
}

/** Adds people for whom a step did nothing. */
export async function addSkipped(tx: Db, workspaceId: string, journeyId: string, stepId: string, count: number): Promise<void> {
  await sql`
    insert into journey_step_counts as c (workspace_id, journey_id, step_id, entered, skipped)
    values (${workspaceId}, ${journeyId}, ${stepId}, 0, ${count})
    on conflict (workspace_id, journey_id, step_id) do update set skipped = c.skipped + excluded.skipped`.execute(tx)
}

/** What these people are called outside: by their user id, else by their device. */
export async function listPeopleNames(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, { userId: string | null; deviceId: string | null }>> {
  const rows = await tx
    .selectFrom('profiles')
    .select(['id', 'user_id', 'device_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map(({ id, user_id, device_id }) => [id, { userId: user_id, deviceId: device_id }]))
}

/** How many people came to each step so far, and for how many of them it did nothing. */
export async function countEntered(
  db: Db,
  workspaceId: string,
  journeyId: string,
): Promise<Map<string, { entered: number; skipped: number }>> {
  const rows = await db
    .selectFrom('journey_step_counts')
    .select(['step_id', 'entered', 'skipped'])
    .where('workspace_id', '=', workspaceId)
    .where('journey_id', '=', journeyId)
    .execute()
  return new Map(rows.map(({ step_id, ...counts }) => [step_id, counts]))
}

/** How many reached the goal. */
export async function countConverted(db: Db, workspaceId: string, journeyId: string, isEach: boolean): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from journey_runs r
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} and converted_at is not null and ${isCounted(workspaceId, isEach)}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** How many people entered each of these journeys, and are in it now. Journeys that nobody entered are left out. */
export async function countPeople(
  db: Db,
  workspaceId: string,
  journeyIds: readonly string[],
): Promise<Map<string, { entered: number; active: number }>> {
  const { rows } = await sql<{ id: string; entered: number; active: number }>`
    select journey_id as id, count(distinct profile_id)::integer as entered,
      count(distinct profile_id) filter (where status = 'active')::integer as active from journey_runs
    where workspace_id = ${workspaceId} and journey_id = any(${[...journeyIds]}::text[]) group by 1`.execute(db)
  return new Map(rows.map(({ id, ...people }) => [id, people]))
}

/** `skipped`: of those who were held out, where there are any. */
export type InAppCounts = { opened: number; ended: number; skipped?: { holdout: number } }

/** Counts in-app messages by step: how many there are, and how many of them have ended. */
export async function countMessages(db: Db, workspaceId: string, journeyId: string): Promise<Map<string, InAppCounts>> {
  const isHeld = sql`coalesce(ended_by = ${HELD_OUT}, false)`
  const { rows } = await sql<{ step: string; opened: number; ended: number; held: number }>`
    select step_id as step, (count(*) filter (where not ${isHeld}))::integer as opened,
      (count(ended_at) filter (where not ${isHeld}))::integer as ended, (count(*) filter (where ${isHeld}))::integer as held
    from in_app_messages where workspace_id = ${workspaceId} and journey_id = ${journeyId} group by 1`.execute(db)
  return new Map(rows.map(({ step, opened, ended, held }) => [step, { opened, ended, ...(held > 0 && { skipped: { holdout: held } }) }]))
}

/** `occasion`: numbers the entries of a trigger that takes people again; else 0. */
export type DueRun = Run & { profileId: string; occasion: number }

/** Ids of active journeys with due people. */
export async function listWithDue(db: Db, workspaceId: string, dueBy: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id from journeys j where j.workspace_id = ${workspaceId} and j.status = 'active' and exists (
      select from journey_runs r where r.workspace_id = ${workspaceId} and r.journey_id = j.id and r.due_at <= ${dueBy})
    order by j.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the people who have been due the longest, until the transaction ends. */
export async function lockDueRuns(tx: Db, workspaceId: string, journeyId: string, dueBy: Date, limit: number): Promise<DueRun[]> {
  const rows = await tx
    .selectFrom('journey_runs')
    .select(['profile_id', 'occasion', 'status', 'step', 'is_waiting', 'reason', 'due_at'])
    .where('workspace_id', '=', workspaceId)
    .where('journey_id', '=', journeyId)
    .where('due_at', '<=', dueBy)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ profile_id, occasion, status, step, is_waiting, reason, due_at }) => ({
    profileId: profile_id,
    occasion,
    status,
    step,
    isWaiting: is_waiting,
    reason: reason as Run['reason'],
    dueAt: due_at && due_at.getTime(),
  }))
}

/** The profiles of these people, as rules need them. */
export async function listProfiles(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, ProfileRow>> {
  const rows = await db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Updates runs that are locked. */
export async function saveRuns(tx: Db, workspaceId: string, journeyId: string, runs: readonly DueRun[], now: Date): Promise<void> {
  const column = <T>(of: (run: DueRun) => T) => runs.map(of)
  await sql`
    update journey_runs r set status = n.status, step = n.step, is_waiting = n.is_waiting, reason = n.reason, due_at = n.due_at, updated_at = ${now}
    from unnest(${column(({ profileId }) => profileId)}::text[], ${column(({ occasion }) => occasion)}::integer[], ${column(({ status }) => status)}::text[], ${column(({ step }) => step)}::text[],
      ${column(({ isWaiting }) => isWaiting)}::boolean[], ${column(({ reason }) => reason)}::text[],
      ${column(({ dueAt }) => (dueAt === null ? null : new Date(dueAt)))}::timestamptz[])
      as n (profile_id, occasion, status, step, is_waiting, reason, due_at)
    where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId} and r.profile_id = n.profile_id and r.occasion = n.occasion`.execute(
    tx,
  )
}

// --- what is read ---

export type RunRow = {
  profileId: string
  occasion: number
  userId: string | null
  deviceId: string | null
  status: Run['status']
  step: string | null
  isWaiting: boolean
  reason: Run['reason']
  trigger: RunTrigger
  enteredAt: Date
  /** When they reached the goal. */
  convertedAt: Date | null
  updatedAt: Date
  dueAt: Date | null
  /** Of which cart, order or booking it is; empty: of none. */
  key: string
  /** The event that moved it last. */
  lastEvent: KeptEvent | null
}
export type RunFilter = { userId: string | undefined; status: Run['status'] | undefined; after: string | undefined; limit: number }

const RUN_COLUMNS = sql`r.profile_id as "profileId", r.occasion, p.user_id as "userId", p.device_id as "deviceId", r.status, r.step,
  r.is_waiting as "isWaiting", r.reason, r.trigger, r.entered_at as "enteredAt", r.converted_at as "convertedAt", r.updated_at as "updatedAt", r.due_at as "dueAt", r.run_key as key,
  r.last_event as "lastEvent"`

/** Pages runs in the order of people, of one person in that of occasions. Empty for a person who is not known. */
export async function pageRuns(
  db: Db,
  workspaceId: string,
  journeyId: string,
  { userId, status, after, limit }: RunFilter,
): Promise<Paged<RunRow>> {
  const person = userId === undefined ? undefined : await findPerson(db, workspaceId, 'live', userId)
  if (userId !== undefined && !person) return paged<RunRow>([], limit, 0, ({ profileId }) => profileId)
  const [afterId, afterOccasion] = after === undefined ? ['', 0] : (cursorParts(after) as [string, number])
  const all = sql`r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId}
    and (${person?.id ?? null}::text is null or r.profile_id = ${person?.id ?? null}::text)
    and (${status ?? null}::text is null or r.status = ${status ?? null}::text)`
  const counted = await sql<{ total: number }>`select count(*) as total from journey_runs r where ${all}`.execute(db)
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from journey_runs r join profiles p on p.workspace_id = ${workspaceId} and p.id = r.profile_id
    where ${all} and (r.profile_id, r.occasion) > (${afterId}::text, ${afterOccasion}::integer)
    order by r.profile_id, r.occasion limit ${limit + 1}`.execute(db)
  return paged(rows, limit, counted.rows[0]?.total ?? 0, ({ profileId, occasion }) => cursorOf(profileId, occasion))
}

/** Of a person in a journey: one that goes on, else the newest. */
export async function findLatestRun(db: Db, workspaceId: string, journeyId: string, profileId: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from journey_runs r join profiles p on p.workspace_id = ${workspaceId} and p.id = r.profile_id
    where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId} and r.profile_id = ${profileId}
    order by r.status = 'active' desc, r.occasion desc limit 1`.execute(db)
  return rows[0]
}

export type PersonsRunRow = RunRow & { journeyId: string; name: string; journeyStatus: JourneyStatus }

/** The journeys that a person is or was in, the newest journey first. */
export async function pageRunsOfPerson(
  db: Db,
  workspaceId: string,
  profileId: string,
  { after, limit }: Pick<RunFilter, 'after' | 'limit'>,
): Promise<Paged<PersonsRunRow>> {
  const [afterId, afterOccasion] = after === undefined ? [null, 0] : (cursorParts(after) as [string, number])
  const theirs = sql`r.workspace_id = ${workspaceId} and r.profile_id = ${profileId}`
  const counted = await sql<{ total: number }>`select count(*) as total from journey_runs r where ${theirs}`.execute(db)
  const { rows } = await sql<PersonsRunRow>`
    select j.id as "journeyId", j.name, j.status as "journeyStatus", ${RUN_COLUMNS} from journey_runs r
    join journeys j on j.workspace_id = ${workspaceId} and j.id = r.journey_id
    join profiles p on p.workspace_id = ${workspaceId} and p.id = r.profile_id
    where ${theirs} and (${afterId}::text is null or (r.journey_id, r.occasion) < (${afterId}::text, ${afterOccasion}::integer))
    order by r.journey_id desc, r.occasion desc limit ${limit + 1}`.execute(db)
  return paged(rows, limit, counted.rows[0]?.total ?? 0, ({ journeyId, occasion }) => cursorOf(journeyId, occasion))
}
