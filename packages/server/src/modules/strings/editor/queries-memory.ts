import { sql } from 'kysely'
import type { Remembered } from '@contentflow/core/strings/similarity.ts'
import type { Db } from '../../../db/open.ts'

export type MemoryQuery = { key: string; sourceText: string }

/** Strings looked at of each side: those that begin alike or end alike, longer and shorter ones, the nearest in length first. */
const NEAREST = 20
/** Lengths of texts that are compared: shorter ones are hardly ever alike in meaning, longer ones take too long. */
const COMPARED = sql`length(asked.source_text) between 6 and 2000`

/**
 * Approved translations of strings whose source text is that of an asked one, or may be nearly that; by the asked
 * key, the best to take over first. A few rows of three indexes for each, however large the catalog is.
 */
export async function listRemembered(
  db: Db,
  workspaceId: string,
  locale: string,
  strings: readonly MemoryQuery[],
): Promise<Map<string, Remembered[]>> {
  const { rows } = await sql<Remembered & { asked: string }>`
    with asked as materialized (
      select * from unnest(${strings.map(({ key }) => key)}::text[], ${strings.map(({ sourceText }) => sourceText)}::text[]) as asked (key, source_text))
    select asked.key as asked, near.key, near.source_text as "sourceText", t.text
    from asked
    cross join lateral (
      (select s.key, s.source_text from strings s
        where s.workspace_id = ${workspaceId} and md5(s.source_text) = md5(asked.source_text) and s.source_text = asked.source_text
          and s.key <> asked.key and exists (${approved(workspaceId, locale)})
        order by s.updated_at desc, s.key limit 1)
      union ${sideOf(workspaceId, 'head', 'longer')}
      union ${sideOf(workspaceId, 'head', 'shorter')}
      union ${sideOf(workspaceId, 'tail', 'longer')}
      union ${sideOf(workspaceId, 'tail', 'shorter')}) as near
    join translations t on t.workspace_id = ${workspaceId} and t.key = near.key and t.locale = ${locale} and t.status = 'ok'
    where near.key <> asked.key
    order by asked.key, near.key`.execute(db)
  const found = new Map<string, Remembered[]>()
  for (const { asked, ...remembered } of rows) found.set(asked, [...(found.get(asked) ?? []), remembered])
  return found
}

function approved(workspaceId: string, locale: string) {
  return sql`select from translations a where a.workspace_id = ${workspaceId} and a.key = s.key and a.locale = ${locale} and a.status = 'ok'`
}

function sideOf(workspaceId: string, side: 'head' | 'tail', length: 'longer' | 'shorter') {
  const edge = sql.raw(`text_${side}`)
  const isInReach =
    length === 'longer'
      ? sql`length(s.source_text) between length(asked.source_text) and length(asked.source_text) * 5 / 3`
      : sql`length(s.source_text) between length(asked.source_text) * 3 / 5 and length(asked.source_text) - 1`
  const order = sql.raw(length === 'longer' ? 'asc' : 'desc')
  return sql`
    (select s.key, s.source_text from strings s
      where s.workspace_id = ${workspaceId} and ${edge}(s.source_text) = ${edge}(asked.source_text) and ${COMPARED} and ${isInReach}
      order by length(s.source_text) ${order} limit ${NEAREST})`
}

/** The first visible strings without a translation in `locale`, by key, and how many there are. */
export async function listMissing(db: Db, workspaceId: string, locale: string, limit: number): Promise<{ keys: string[]; total: number }> {
  const missing = db
    .selectFrom('strings')
    .where('workspace_id', '=', workspaceId)
    .where('is_hidden', '=', false)
    .where(
      sql<boolean>`(select t.locale from translations t
        where t.workspace_id = ${workspaceId} and t.key = strings.key and t.locale = ${locale}) is null`,
    )
  const { total } = await missing.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await missing.select('key').orderBy('key').limit(limit).execute()
  return { keys: rows.map(({ key }) => key), total }
}
