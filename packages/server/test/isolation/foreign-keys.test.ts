import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../harness/start-app.ts'

const { ctx } = await startApp()

test('what a deleted row takes with it is found by an index, for every foreign key', async () => {
  const { rows } = await sql<{ missing: string }>`
    select conrelid::regclass || ': ' || pg_get_constraintdef(k.oid) as missing from pg_constraint k
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
      and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid and i.indpred is null
          -- The columns of the key, in any order, are the first ones of the index.
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey and k.conkey @> (i.indkey::int2[])[0:cardinality(k.conkey) - 1])
    order by 1`.execute(ctx.db)
  assert.deepEqual(
    rows.map(({ missing }) => missing),
    [],
  )
})

test('every key of a table of a workspace has the workspace in it, and no foreign key sets columns to null', async () => {
  const { rows } = await sql<{ unfit: string }>`
    select c.relname || ' ' || i.indexrelid::regclass as unfit from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
      join pg_index i on i.indrelid = c.oid and i.indisunique and not i.indkey::int2[] @> array[a.attnum]
    where c.relnamespace = 'public'::regnamespace and c.relname not in ('keys', 'members', 'asset_addresses', 'identity_providers', 'sessions')
    union all select conrelid::regclass || ' ' || conname from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype in ('n', 'd')
    order by 1`.execute(ctx.db)
  assert.deepEqual(
    rows.map(({ unfit }) => unfit),
    [],
  )
})
