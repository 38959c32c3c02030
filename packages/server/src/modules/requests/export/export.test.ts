import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { track } from '../../../../test/builders/events.ts'
import { fillStores } from '../../../../test/builders/every-store.ts'
import { erase, identify, personRow, rowsOfPerson } from '../../../../test/builders/people.ts'
import { takeFile } from '../../../../test/builders/person-files.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { HIDDEN, NOT_EXPORTED, PERSON_TABLES, TABLE_PARTS } from './export-parts.ts'

const { workspace, ctx, url } = await startApp()

const MARK = '\uFEFF'

test('every table with a person or a device is exported, or is named with the reason why not', () => {
  const text = readFileSync(new URL('../../../db/schema.ts', import.meta.url), 'utf8')
  const [types = '', database = ''] = text.split('export type Database = {')
  const tables = new Map([...database.matchAll(/^ {2}(\w+): (\w+)$/gm)].map(([, name = '', type = '']) => [type, name]))
  const withPeople = [...types.matchAll(/^export type (\w+) = \{\n(.*?)^\}/gms)]
    .filter(([, , columns = '']) => /^ {2}(profile_id|device_id):/m.test(columns))
    .map(([, type = '']) => tables.get(type) ?? type)
  assert.ok(withPeople.length > 25)
  const known = new Set([...TABLE_PARTS.map(({ table }) => table), ...PERSON_TABLES, ...Object.keys(NOT_EXPORTED), 'events'])
  assert.deepEqual(
    withPeople.filter((table) => !known.has(table)),
    [],
    'export-parts.ts says in which part they are, or why they are in none',
  )
  assert.ok(Object.values(NOT_EXPORTED).every((why) => why.length > 20))
  const names = TABLE_PARTS.map(({ name }) => name)
  assert.deepEqual(names, [...new Set(names)])
})

/** Columns of texts and of JSON, but for those of the key and those that say whose row it is. */
async function listColumns(): Promise<{ table: string; column: string; isJson: boolean }[]> {
  const { rows } = await sql<{ table: string; column: string; isJson: boolean }>`
    select c.relname as table, a.attname as column, a.atttypid = 'jsonb'::regtype as "isJson" from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid in ('text'::regtype, 'jsonb'::regtype)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'profiles' or exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'profile_id'))
      and a.attname not in ('workspace_id', 'profile_id', 'device_id', 'user_id', 'identity', 'environment')
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey::int2[]))
    order by 1, 2`.execute(ctx.db)
  return rows
}

/** Words that occur nowhere else, in every column of this person that takes one. By table and column. */
async function putCanaries(workspaceId: string, profileId: string, who: string): Promise<Map<string, string>> {
  const put = new Map<string, string>()
  for (const { table, column, isJson } of await listColumns()) {
    const word = `canary${who}${table}${column}`.replaceAll('_', '')
    const value = isJson ? JSON.stringify({ [word]: [word] }) : word
    const owner = table === 'profiles' ? 'id' : 'profile_id'
    const update = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${isJson ? sql`${value}::jsonb` : sql`${value}`}
      where workspace_id = ${workspaceId} and ${sql.ref(owner)} = ${profileId}`
    // A column that takes only some words, or what another table has, takes no canary.
    const changed = await update.execute(ctx.db).catch((error: { code?: string }) => {
      if (!isConstraint(error)) throw error
      return undefined
    })
    if (changed?.numAffectedRows) put.set(`${table} ${column}`, word)
  }
  return put
}

/** Class 23 of SQLSTATE. */
function isConstraint({ code = '' }: { code?: string }): boolean {
  return code.startsWith('23')
}

function isHidden(place: string): boolean {
  const [table = '', column = ''] = place.split(' ')
  return HIDDEN.has(column) || table in NOT_EXPORTED || TABLE_PARTS.some((part) => part.table === table && part.hides?.includes(column))
}

test('whatever is stored of a person is in both files of its part, and nothing of another person is in any', async () => {
  const ws = await workspace()
  const put: Record<string, Map<string, string>> = {}
  for (const [device, user] of [
    ['D', 'U'],
    ['E', 'U2'],
  ] as const) {
    await identify(ws.app, device, user, { name: user, email: `${user}@example.com` })
    expectStatus(await ws.app.post('/register-push', { deviceId: device, token: `token of ${device}`, platform: 'ios', userId: user }), 200)
    expectStatus(await ws.app.post('/track-event', { deviceId: device, type: 'sign_in' }), 202)
    expectStatus(await ws.app.post('/consent', { deviceId: device, userId: user, channels: { push: true } }), 200)
    await track(ws.app, device, [{ type: 'impression' }])
    await fillStores(ctx, ws, user, device)
    const { id = '' } = (await personRow(ctx, ws.id, user)) ?? {}
    put[user] = await putCanaries(ws.id, id, user)
  }
  const { id, files, sha256 } = await takeFile(url, ws, 'U')
  const own = put['U'] ?? assert.fail()
  assert.ok(own.size > 60, `${own.size} columns took a canary`)
  const text = (end: string) =>
    Object.entries(files)
      .filter(([name]) => name.endsWith(end))
      .map(([, content]) => content)
      .join('\n')
  const [json, csv] = [text('.json'), text('.csv')]
  for (const [place, word] of own) {
    const isShown = !isHidden(place)
    assert.equal(json.includes(word), isShown, `${place} in JSON`)
    if (!place.startsWith('profiles ')) assert.equal(csv.includes(word), isShown, `${place} in CSV`)
  }
  for (const [place, word] of put['U2'] ?? assert.fail()) assert.ok(!`${json}${csv}`.includes(word), `${place} of the other person`)
  assert.doesNotMatch(`${json}${csv}`, /U2@example|token of/)

  const manifest = JSON.parse(files['manifest.json'] ?? '')
  const rows = Object.fromEntries(manifest.parts.map(({ part, rows: count }: any) => [part, count]))
  const { id: profileId = '' } = (await personRow(ctx, ws.id, 'U')) ?? {}
  const stored = await rowsOfPerson(ctx, ws.id, profileId)
  for (const { name, table, column } of TABLE_PARTS) if (column === 'profile_id') assert.equal(rows[name], stored[table], name)
  assert.equal(rows.events, stored['events'])
  assert.ok(rows.consents > 0)
  for (const [part, count] of Object.entries(rows)) {
    assert.equal(`${part}.json` in files, Number(count) > 0, part)
    if (Number(count) > 0) assert.equal(JSON.parse(files[`${part}.json`] ?? '').length, count, part)
  }
  const receipt = expectStatus(await ws.admin.get(`/person-exports/${id}`), 200).data
  assert.deepEqual([receipt.sha256, receipt.parts, manifest.exportId], [sha256, manifest.parts, id])
  assert.ok(receipt.finishedAt && receipt.madeBy)
})

test('a spreadsheet reads the CSV as UTF-8 and computes nothing; numbers stay numbers', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const texts = ['=1+1', '+966', '-x', '@sum', 'سارة, "quoted"']
  await track(
    ws.app,
    'D',
    texts.map((screen) => ({ type: 'impression', screen, value: -5 })),
  )
  const { files } = await takeFile(url, ws, 'U')
  const csv = files['events.csv'] ?? ''
  assert.ok(csv.startsWith(MARK))
  for (const cell of ["'=1+1", "'+966", "'-x", "'@sum", '"سارة, ""quoted"""', ',-5,']) assert.ok(csv.includes(cell), cell)
  assert.deepEqual(
    JSON.parse(files['events.json'] ?? '').map(({ screen }: any) => screen),
    texts,
  )
})

test('what a person did before they signed in is in the file, and more of it than a page holds', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await track(ws.app, 'D', [{ type: 'impression', screen: 'before' }])
  await identify(ws.app, 'D', 'U')
  const { id: profileId = '' } = (await personRow(ctx, ws.id, 'U')) ?? {}
  const at = ctx.clock.now()
  await sql`
    insert into events (workspace_id, environment, batch, received_at, device_id, profile_id, type, screen)
    select ${ws.id}, 'live', 1, ${at}::timestamptz + n * interval '1 microsecond', 'D', ${profileId}, 'impression', 'n' || n
    from generate_series(1, 5500) n`.execute(ctx.db)
  await sql`
    insert into location_points (workspace_id, profile_id, id, device_id, latitude, longitude, at)
    select ${ws.id}, ${profileId}, 'p' || n, 'D', 1, 1, ${at} from generate_series(1, 2500) n`.execute(ctx.db)
  const { files } = await takeFile(url, ws, 'U')
  const screens = JSON.parse(files['events.json'] ?? '').map(({ screen }: any) => screen)
  assert.deepEqual([screens.length, new Set(screens).size, screens.includes('before')], [5_501, 5_501, true])
  assert.equal(new Set(JSON.parse(files['locations.json'] ?? '').map(({ id }: any) => id)).size, 2_500)
  // With its head, and an end behind the last line.
  assert.equal((files['events.csv'] ?? '').split('\r\n').length, 5_503)
})

test('only admins take the file; a viewer sees its receipt, which names nobody and stays when the person is erased', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'U2')
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  for (const by of [editor, viewer]) assert.equal((await by.post('/users/U/export', {})).body.code, 'ROLE_REQUIRED')
  assert.equal((await ws.admin.post('/users/nobody/export', {})).status, 404)
  const { id } = await takeFile(url, ws, 'U')
  await takeFile(url, ws, 'U2')
  expectStatus(await erase(ws.app, 'D'), 200)
  const list = expectStatus(await viewer.get('/person-exports'), 200)
  assert.equal(list.body.metadata.total, 2)
  assert.doesNotMatch(list.text, /"U"|"U2"|subject/)
  const ofOne = expectStatus(await viewer.get('/person-exports?userId=U'), 200).data.exports
  assert.deepEqual(
    ofOne.map((receipt: any) => receipt.id),
    [id],
  )
  assert.equal((await viewer.get('/person-exports/none')).status, 404)
})

test('people of the other environment are asked for by name, and their file has nothing of the live person', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { name: 'Live' })
  await identify(ws.testApp, 'T', 'U', { name: 'Tester' })
  const [live, tester] = [await takeFile(url, ws, 'U'), await takeFile(url, ws, 'U', '?environment=test')]
  assert.deepEqual(
    [live, tester].map(({ files }) => JSON.parse(files['person.json'] ?? '').name),
    ['Live', 'Tester'],
  )
  assert.ok(!Object.values(tester.files).join('').includes('Live'))
})
