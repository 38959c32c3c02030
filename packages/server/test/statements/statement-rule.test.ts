import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from './statement-rule.ts'

const TENANT = new Set(['profiles', 'devices', 'segments'])
const read = (text: string) => readStatement(text, (name) => TENANT.has(name))
const isFit = (text: string) => read(text).unbound.length === 0

const FIT = [
  'select 1',
  'select * from workspaces w where w.id = $1',
  'select * from "profiles" where "workspace_id" = $1 and id = any($2::text[])',
  'select * from "profiles" as "p" where "p"."workspace_id" = $1',
  'select p.id from profiles p join devices d on d.workspace_id = $1 and d.profile_id = p.id where p.workspace_id = $1',
  'select 1 from profiles p, devices d where p.workspace_id = $1 and d.workspace_id = $1',
  'with found as (select id from profiles where workspace_id = $1) select * from found',
  'select (select count(*) from devices d where d.workspace_id = $1) from profiles where (workspace_id = $1 and true)',
  'insert into profiles (id, workspace_id) values ($1, $2), ($3, $4) on conflict do nothing returning id',
  'insert into profiles as p (workspace_id, id) select $1::text, id from unnest($2::text[]) as id',
  'insert into profiles (workspace_id, id) select $1, d.device_id from devices d where d.workspace_id = $1',
  'update profiles p set name = $1 from unnest($2::text[]) as x (id) where p.workspace_id = $3 and p.id = x.id',
  'delete from profiles using found where workspace_id = $1',
  'analyze profiles',
]

const UNFIT: [text: string, unbound: string[]][] = [
  ['select * from profiles', ['profiles']],
  ["select * from profiles where workspace_id = 'w'", ['profiles']],
  ['select * from profiles where workspace_id = any($1)', ['profiles']],
  ['select 1 from profiles p join devices d on d.workspace_id = p.workspace_id where p.workspace_id = $1', ['devices']],
  ['select 1 from profiles p, devices d where p.workspace_id = $1', ['devices']],
  ['select 1 from profiles where workspace_id = $1 union all select 1 from devices', ['devices']],
  [
    'select 1 from profiles s where s.workspace_id = $1 and exists (select from devices d where d.workspace_id = s.workspace_id)',
    ['devices'],
  ],
  ['with found as (select id from profiles) select * from found where workspace_id = $1', ['profiles']],
  [
    'insert into profiles (workspace_id, id) select workspace_id, id from unnest($1::text[], $2::text[]) as x (workspace_id, id)',
    ['profiles'],
  ],
  ['insert into profiles (id) values ($1)', ['profiles']],
  [
    'update segments set due_at = $1 where (workspace_id, id) in (select workspace_id, id from segments where due_at <= $2)',
    ['segments', 'segments'],
  ],
  ['delete from devices where expires_at < $1', ['devices']],
]

for (const text of FIT) test(`is of one workspace: ${text}`, () => assert.ok(isFit(text)))
for (const [text, unbound] of UNFIT) test(`is not of one workspace: ${text}`, () => assert.deepEqual(read(text).unbound, unbound))

test('names the parameters that must be one workspace', () => {
  assert.deepEqual(read('insert into profiles (id, workspace_id) values ($1, $2), ($3, $4)').parameters, [2, 4])
  assert.deepEqual(read('select 1 from profiles p, devices d where p.workspace_id = $1 and d.workspace_id = $3').parameters, [1, 3])
})
