/** A turn of a dispatch looks for what a process left on its way, and for what is due: never at all lines of an audience. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { settleInterrupted } from './queries-batches.ts'
import { failDue } from './queries-ledger.ts'

const { workspace, ctx } = await startApp()
const LINES = 5_000
const LEFT = 3

test('M-CHAN-13 M-DISP-01 what is due or on its way is found without reading the ledger', async () => {
  const ws = await workspace()
  const now = ctx.clock.now()
  await sql`insert into profiles (workspace_id, id, environment, user_id, created_at, updated_at)
    select ${ws.id}, 'p' || i, 'live', 'u' || i, ${now}::timestamptz, ${now}::timestamptz from generate_series(1, ${LINES}::int) i`.execute(
    ctx.db,
  )
  await sql`insert into dispatches (workspace_id, id, source, source_id, channel, name, message, state, starts_at, created_at, updated_at)
    values (${ws.id}, 'd', 'campaign', 'c', 'email', '', '{}', 'sending', ${now}, ${now}, ${now})`.execute(ctx.db)
  const lease = '00000000-0000-4000-8000-000000000001'
  await sql`insert into sends (workspace_id, dispatch_id, profile_id, state, lease, due_at, created_at, updated_at)
    select ${ws.id}, 'd', 'p' || i, case when i <= ${LEFT} then 'sending' when i <= ${3 * LEFT} then 'due' else 'skipped' end,
      case when i <= ${LEFT} then ${lease}::uuid end, case when i > ${LEFT} and i <= ${3 * LEFT} then ${now}::timestamptz end,
      ${now}::timestamptz, ${now}::timestamptz from generate_series(1, ${LINES}::int) i`.execute(ctx.db)
  const named = Array.from({ length: LEFT }, (_, i) => `p${LEFT + i + 1}`)
  await sql`insert into send_batches (workspace_id, dispatch_id, lease, number, profile_ids, made_at)
    values (${ws.id}, 'd', ${lease}::uuid, 1, ${named}::text[], ${now})`.execute(ctx.db)
  await sql`analyze sends`.execute(ctx.db)
  const held = { workspaceId: ws.id, id: 'd', token: '00000000-0000-4000-8000-000000000002' }
  const read = await ctx.db.transaction().execute(async (tx) => {
    const before = await linesRead(tx)
    await settleInterrupted(tx, held, undefined, now)
    await failDue(tx, held, 'nobody', now)
    return (await linesRead(tx)) - before
  })
  const { rows } = await sql<{ reason: string | null; count: number }>`
    select reason, count(*)::integer as count from sends where workspace_id = ${ws.id} and dispatch_id = 'd' group by reason order by reason`.execute(
    ctx.db,
  )
  assert.deepEqual(rows, [
    { reason: 'interrupted', count: 2 * LEFT },
    { reason: 'nobody', count: LEFT },
    { reason: null, count: LINES - 3 * LEFT },
  ])
  assert.ok(read < 100, `${read} lines were read`)
})

/** By this transaction so far. */
async function linesRead(tx: Db): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint as lines from pg_stat_xact_user_tables where relname = 'sends'`.execute(
    tx,
  )
  return rows[0]!.lines
}
