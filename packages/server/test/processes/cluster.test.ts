/** What only a database of many machines can show: with TEST_CITUS=1. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { distribute } from '../../src/db/distribute.ts'
import { runStatements } from '../../src/db/migrate.ts'
import { freshDatabase, migrate, startApp } from '../harness/start-app.ts'

const skip = process.env['TEST_CITUS'] !== '1' && 'no cluster'

async function listPlaces(db: Parameters<typeof distribute>[0]): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; place: string }>`
    select logicalrelid::text as name, case when partmethod = 'h' then 'by workspace ' || colocationid else 'everywhere' end as place
    from pg_dist_partition`.execute(db)
  return new Map(rows.map(({ name, place }) => [name, place]))
}

test('tables of workspaces lie together by workspace, and what all machines need is on each', { skip }, async () => {
  const { ctx } = await startApp()
  const places = await listPlaces(ctx.db)
  const byWorkspace = places.get('profiles')
  assert.match(byWorkspace ?? '', /^by workspace/)
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' and table_name not in (select table_name from information_schema.views)`.execute(
    ctx.db,
  )
  for (const { name } of rows)
    assert.equal(
      places.get(name),
      ['keys', 'members', 'asset_addresses', 'sign_in_settings'].includes(name) ? 'everywhere' : byWorkspace,
      name,
    )
  for (const name of ['workspaces', 'accounts', 'sessions']) assert.equal(places.get(name), 'everywhere')
})

test('the ledger of a spread database is append-only too', { skip }, async () => {
  const { ctx, workspace } = await startApp()
  const { id } = await workspace()
  const row = { workspace_id: id, environment: 'live' as const, subject: 's', channel: 'email', source: 'consent', key_id: 'k' }
  await ctx.db.insertInto('consent_ledger').values(row).execute()
  const own = sql`workspace_id = ${id}`
  await assert.rejects(sql`update consent_ledger set source = 'x' where ${own}`.execute(ctx.db), /append-only/)
  await assert.rejects(sql`delete from consent_ledger where ${own}`.execute(ctx.db), /append-only/)
  await assert.rejects(sql`truncate consent_ledger`.execute(ctx.db), /append-only/)
})

test('a table that a later version brings is spread with the others, and refers to them', { skip }, async () => {
  const { ctx, workspace } = await startApp()
  const { id } = await workspace()
  await ctx.db.transaction().execute((tx) =>
    runStatements(
      tx as never,
      `alter table profiles add column nickname text;
create table pets (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  profile_id text not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index pets_by_person on pets (workspace_id, profile_id);`,
    ),
  )
  await distribute(ctx.db)
  const places = await listPlaces(ctx.db)
  assert.equal(places.get('pets'), places.get('profiles'))
  const insert = sql`insert into pets (workspace_id, id, profile_id) values (${id}, 'p', 'nobody')`
  await assert.rejects(insert.execute(ctx.db), { code: '23503' })
})

test('two processes that start at once on an empty cluster spread the tables once', { skip }, async () => {
  const { env, remove } = await freshDatabase({ isBare: true })
  try {
    await Promise.all([migrate(env), migrate(env)])
  } finally {
    await remove()
  }
})
