import { sql, type Expression } from 'kysely'
import type { Db } from './open.ts'

/** Of the rows of a page together: what one turn of the event loop reads and answers in well under a tenth of a second. */
const PAGE_BYTES = 8_000_000

/**
 * The rows of a page, fewer when they have more than `PAGE_BYTES` together, but always one. `page` is in order, asks for one row
 * more than `limit`, and says of each row how large it is.
 */
export async function readPage<Row extends { bytes: number }>(
  db: Db,
  page: Expression<Row>,
  limit: number,
): Promise<{ rows: Row[]; isLast: boolean }> {
  const { rows: found } = await sql<Row & { begins: number; found: number }>`
    select * from (
      select page.*, sum(bytes) over (rows unbounded preceding) - bytes as begins, count(*) over () as found from (${page}) as page
    ) as sized where begins < ${PAGE_BYTES}`.execute(db)
  const count = found[0]?.found ?? 0
  const rows = found.slice(0, limit).map(withoutSums)
  return { rows, isLast: count === rows.length }
}

function withoutSums<Row>(row: Row & { begins?: number; found?: number }): Row {
  delete row.begins
  delete row.found
  return row
}
