/** Who the people of one part are by now. Everything is read in pages, so that no answer of the database is as long as there are people. */
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { PARTS } from '../columns/make-rows.ts'
import type { Source } from './queries-read.ts'

/** Numbers of one page. */
const PAGE = 1_000

/** The highest number of an environment; -1: there is none. */
export async function findLastNumber(db: Db, { workspaceId, environment }: Source): Promise<number> {
  const { rows } = await sql<{ no: number | null }>`
    select max(no) as no from people_numbers where workspace_id = ${workspaceId} and environment = ${environment}`.execute(db)
  return rows[0]?.no ?? -1
}

/** `into`: the number that counts instead; `isShared`: the person has numbers in several parts. */
type Moved = { no: number; into: number; isShared: boolean }

/** The numbers of this part whose people have several, ascending, at most 1,000 a page. */
export async function* pageMoved(db: Db, { workspaceId, environment }: Source, part: number): AsyncGenerator<Moved[]> {
  for (let after = -1; ;) {
    const { rows } = await sql<Moved>`
      with page as materialized (
        select no, profile_id from people_numbers where workspace_id = ${workspaceId} and environment = ${environment} and is_merged
          and no % 16 = ${part} and no > ${after} order by no limit ${PAGE})
      select p.no, a.into, a."isShared" from page p cross join lateral (
        select min(o.no) as into, bool_or(o.no % 16 <> ${part}) as "isShared" from people_numbers o
        where o.workspace_id = ${workspaceId} and o.environment = ${environment} and o.profile_id = p.profile_id) a
      order by p.no`.execute(db)
    yield rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.no
  }
}

/** Bit `k`: the person is a stored member of segment `k`. */
type Membership = { no: number; segments: number }

/** Of the numbers of this part up to `last` those whose people are stored members of any of these segments now; at most 31 segments, 1,000 numbers a page. */
export async function* pageMembers(
  db: Db,
  { workspaceId, environment }: Source,
  { part, last, segments }: { part: number; last: number; segments: readonly string[] },
): AsyncGenerator<Membership[]> {
  const ids = [...segments]
  for (let from = part; from <= last; from += PAGE * PARTS) {
    const to = Math.min(last, from + (PAGE - 1) * PARTS)
    const { rows } = await sql<Membership>`
      with page as materialized (
        select g.no, (select n.profile_id from people_numbers n
            where n.workspace_id = ${workspaceId} and n.environment = ${environment} and n.no = g.no) as profile_id
        from generate_series(${from}::integer, ${to}::integer, ${PARTS}::integer) as g (no)),
      held as materialized (
        select no, (select bit_or(1 << (array_position(${ids}::text[], m.segment_id) - 1)) from segment_members m
            where m.workspace_id = ${workspaceId} and m.profile_id = page.profile_id and m.is_member and m.segment_id = any(${ids}::text[])) as segments
        from page)
      select no, segments from held where segments is not null`.execute(db)
    yield rows
  }
}
