/** Renames a segment in the content that targets it, for all instances at once. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { counting, SEG } from './revisions/queries-targets.ts'

/** A revision that counts, and the number of the revision that replaces it. */
type Successor = {
  id: string
  from: number
  to: number
  /** Whether the revision targets the segment; the newest revision gets a successor in any case. */
  isFor: boolean
}
type Made = { by: string; at: Date }

/** Lists the revisions that count of every instance with one that targets the segment, in order, the newest last. */
export async function listSuccessors(db: Db, workspaceId: string, segment: string): Promise<Successor[]> {
  const { rows } = await sql<{ id: string; version: number; numbers: number[] }>`
    select used.id, i.version, used.numbers
    from (
      select c.id, array_agg(c.number order by c.number) as numbers from (${counting(workspaceId)}) c
      cross join lateral (
        select r.content from instance_revisions r
        where r.workspace_id = ${workspaceId} and r.instance_id = c.id and r.number = c.number offset 0) r
      where ${SEG} = ${segment} group by c.id) used
    cross join lateral (
      select version, deleted_at from block_instances where workspace_id = ${workspaceId} and id = used.id offset 0) i
    where i.deleted_at is null order by used.id`.execute(db)
  return rows.flatMap(({ id, version, numbers }) => {
    const replaced = numbers.includes(version) ? numbers : [...numbers, version]
    return replaced.map((from, index) => ({ id, from, to: version + index + 1, isFor: numbers.includes(from) }))
  })
}

const listed = (successors: readonly Successor[]) => sql`unnest(${successors.map(({ id }) => id)}::text[],
  ${successors.map(({ from }) => from)}::integer[], ${successors.map(({ to }) => to)}::integer[],
  ${successors.map(({ isFor }) => isFor)}::boolean[]) as s (id, old, new, is_for)`

export async function keepRetargeted(tx: Db, workspaceId: string, successors: readonly Successor[], segment: string, { by, at }: Made) {
  await sql`
    insert into instance_revisions (workspace_id, instance_id, number, content, source, restored_from, made_by, created_at)
    select ${workspaceId}, s.id, s.new,
      case when s.is_for then jsonb_set(r.content, '{seg}', to_jsonb(${segment}::text)) else r.content end, 'edit', null, ${by}, ${at}
    from ${listed(successors)}
    cross join lateral (
      select content from instance_revisions where workspace_id = ${workspaceId} and instance_id = s.id and number = s.old offset 0) r`.execute(
    tx,
  )
}

/** Adds to the history which pointers move where. Returns the environments in which one moves. */
export async function insertMoves(
  tx: Db,
  workspaceId: string,
  successors: readonly Successor[],
  { by, at }: Made,
): Promise<Set<Environment>> {
  const { rows } = await sql<{ environment: Environment }>`
    insert into instance_events (workspace_id, instance_id, number, action, environment, revision, made_by, made_at)
    select ${workspaceId}, moved.id, moved.place + coalesce((select max(e.number) from instance_events e
      where e.workspace_id = ${workspaceId} and e.instance_id = moved.id), 0), 'publish', moved.environment, moved.new, ${by}, ${at}
    from (
      select s.id, s.new, pointer.environment, (row_number() over (partition by s.id order by s.new, pointer.environment))::integer as place
      from ${listed(successors)}
      cross join lateral (
        select live_revision, test_revision from block_instances where workspace_id = ${workspaceId} and id = s.id offset 0) i
      cross join lateral (values ('live', i.live_revision), ('test', i.test_revision)) as pointer (environment, revision)
      where pointer.revision = s.old
    ) moved
    returning environment`.execute(tx)
  return new Set(rows.map(({ environment }) => environment))
}

/** Updates the instances: their current content, and their pointers. Each finds its new numbers in one object, by its id. */
export async function pointToSuccessors(tx: Db, workspaceId: string, successors: readonly Successor[], segment: string, now: Date) {
  const ofOne = Map.groupBy(successors, ({ id }) => id)
  const retargeted = [...ofOne].flatMap(([id, all]) => (all.at(-1)?.isFor ? [id] : []))
  const places = JSON.stringify(
    Object.fromEntries([...ofOne].map(([id, all]) => [id, Object.fromEntries(all.map(({ from, to }) => [from, to]))])),
  )
  const successorOf = (column: string) =>
    sql`coalesce((${places}::jsonb -> i.id ->> ${sql.ref(column)}::text)::integer, ${sql.ref(column)})`
  await sql`
    update block_instances i set version = ${successorOf('i.version')}, updated_at = ${now},
      seg = case when i.id = any(${retargeted}::text[]) then ${segment} else i.seg end,
      live_revision = ${successorOf('i.live_revision')}, test_revision = ${successorOf('i.test_revision')}
    where i.workspace_id = ${workspaceId} and i.id = any(${[...ofOne.keys()]}::text[])`.execute(tx)
}

/** Planned publications and open requests name the successor from now on. */
export async function movePinned(tx: Db, workspaceId: string, successors: readonly Successor[]) {
  const successorOf = (id: string) =>
    sql`(select s.new from ${listed(successors)} where s.id = ${sql.ref(id)} and s.old = revision limit 1)`
  const ids = [...new Set(successors.map(({ id }) => id))]
  await sql`
    update publications set revision = coalesce(${successorOf('instance_id')}, revision)
    where workspace_id = ${workspaceId} and instance_id = any(${ids}::text[])`.execute(tx)
  await sql`
    update reviews set revision = coalesce(${successorOf('subject')}, revision)
    where workspace_id = ${workspaceId} and subject = any(${ids}::text[]) and status = 'pending'`.execute(tx)
}
