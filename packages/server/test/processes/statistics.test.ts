import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refreshStatistics } from '../../src/db/statistics.ts'
import { startApp } from '../harness/start-app.ts'

const { ctx, workspace } = await startApp()

/** The machines of a cluster hold the rows and look after their statistics themselves; from outside no generic plan of theirs is shown. */
const skip = process.env['TEST_CITUS'] === '1' && 'a cluster'

/** Both halves of the key, where another plan reads every device of the workspace. */
const LOOKS_UP = /Index Cond: \(\(workspace_id = \$1\) AND \(device_id = asked\.id\)\)/

test('a statement that was prepared on a small table looks its rows up once the table has grown', { skip }, async () => {
  const ws = await workspace()
  await ctx.db.connection().execute(async (db) => {
    const add = (from: number, to: number) =>
      sql`insert into devices (workspace_id, device_id, environment, consent, segments, first_seen_at, last_seen_at, expires_at)
        select ${ws.id}, 'D' || i, 'live', 'granted', '{}', now(), now(), now() from generate_series(${from}::integer, ${to}::integer) i`.execute(
        db,
      )
    const planned = async () => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain execute found('w', array['D1'])`.execute(db)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    await sql`set plan_cache_mode = force_generic_plan`.execute(db)
    await add(1, 300)
    await sql`prepare found(text, text[]) as select d.* from unnest($2) as asked (id)
      left join devices d on d.workspace_id = $1 and d.device_id = asked.id`.execute(db)
    const small = await planned()
    await add(301, 20_000)
    assert.equal(await planned(), small, 'a prepared plan stays as it is')
    assert.doesNotMatch(small, LOOKS_UP)
    await refreshStatistics(db)
    assert.match(await planned(), LOOKS_UP)
  })
})
