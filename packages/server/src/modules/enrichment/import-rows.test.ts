/** What rows of a staged import say, whom they are about, and why they are rejected. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import {
  begin,
  commit,
  contacts,
  load,
  mappingOf,
  match,
  membersOf,
  reasonsOf,
  segment,
  stage,
  users,
  valuesOf,
} from '../../../test/builders/imports.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { workspace, ctx } = await startApp()

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

test('M-ENR-03 M-ENR-07 M-ENR-08 M-ENR-09 M-ENR-10 M-ENR-11 M-ENR-12 M-ENR-13 M-ENR-14 M-ENR-15 M-ENR-16 M-ENR-17 M-ENR-18 M-ENR-19 M-ENR-20 M-ENR-21 M-ENR-22 M-ENR-23 M-ENR-24 M-ENR-25 M-ENR-26 M-ENR-27 M-ENR-74 what cannot be is refused, and no import begins', async () => {
  const ws = await workspace()
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  const good = mappingOf({ a: 'string' })
  const column = (more: object) => ({ ...good, columns: [{ column: 'a', name: 'a', type: 'string', ...more }] })
  const many = (count: number, included = count) => {
    const names = Array.from({ length: count }, (_, index) => `c${index}`)
    return {
      headers: ['id', ...names],
      mapping: {
        ...good,
        columns: names.map((name, index) => ({ column: name, name, type: 'string', include: index < included })),
      },
    }
  }
  const refused: [string, object][] = [
    ['nothing', { headers: undefined, mapping: undefined }],
    ['no mapping', { mapping: undefined }],
    ['no headers', { headers: undefined }],
    ['headers is no list', { headers: 'id,a', mapping: good }],
    ['a heading is no text', { headers: ['id', 1], mapping: good }],
    ['a heading that is read twice', { headers: ['id', 'a', ' a'], mapping: good }],
    ['501 headings', { headers: ['id', 'a', ...Array.from({ length: 499 }, (_, i) => `h${i}`)], mapping: good }],
    ['source excel', { mapping: { ...good, source: 'excel' } }],
    ['source analytics', { mapping: { ...good, source: 'analytics' } }],
    ['identity name', { mapping: { ...good, identity: { column: 'id', type: 'name' } } }],
    ['identity column', { mapping: { ...good, identity: { column: 'who', type: 'userId' } } }],
    ['no identity', { mapping: { columns: good.columns } }],
    ['a column that is not there', { mapping: column({ column: 'b' }) }],
    ['a skipped column that is not there', { mapping: { ...good, columns: [...good.columns, { column: 'b', include: false }] } }],
    ['no columns', { mapping: { ...good, columns: [] } }],
    ['all skipped', { mapping: column({ include: false }) }],
    ['type json', { mapping: column({ type: 'json' }) }],
    ['no type', { mapping: column({ type: undefined }) }],
    ...['a.b', '$a', '-a', ' a', 'a'.repeat(65), '', '__proto__', 7].map((name): [string, object] => [
      `name ${String(name)}`,
      { mapping: column({ name }) },
    ]),
    [
      'one name twice',
      { headers: ['id', 'a', 'b'], mapping: { ...good, columns: [...good.columns, { column: 'b', name: 'a', type: 'string' }] } },
    ],
    ...[0, 3651, 1.5, '7'].map((expiresInDays): [string, object] => [`${expiresInDays} days`, { mapping: { ...good, expiresInDays } }]),
    ['expires some day', { mapping: { ...good, expiresAt: 'some day' } }],
    ['expires some day, in the body', { expiresAt: 'some day' }],
    ['expired', { expiresAt: '2020-01-01' }],
    ['101 columns', many(101)],
    ['env', { env: 'staging' }],
    ['source id is no text', { mapping: undefined, sourceId: 7 }],
    ['a long name of a source', { saveAsSource: 'n'.repeat(121) }],
    ['file name', { fileName: 7 }],
  ]
  for (const [what, more] of refused) {
    const answer = await ws.admin.post('/enrichment/imports', { headers: ['id', 'a'], mapping: good, ...more })
    assert.equal(answer.status, 400, `${what}: ${answer.text}`)
  }
  assert.equal((await ws.admin.post('/enrichment/imports', { headers: ['id', 'a'], sourceId: 'nobody' })).status, 404)
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before)
  for (const [method, path] of [
    ['get', ''],
    ['get', '/rejected'],
    ['post', '/rows'],
    ['post', '/match'],
    ['post', '/commit'],
    ['delete', ''],
  ] as const)
    assert.equal((await ws.admin[method](`/enrichment/imports/nobody${path}`)).status, 404, path)
  const taken: [string, object][] = [
    ['_a', { mapping: column({ name: '_a' }) }],
    ['9 b-c', { mapping: column({ name: '9 b-c' }) }],
    ['1 day', { mapping: { ...good, expiresInDays: 1 } }],
    ['3650 days', { mapping: { ...good, expiresInDays: 3650 } }],
    ['a date', { mapping: { ...good, expiresAt: '2099-01-31' } }],
    ['a label', { mapping: column({ label: { en: 'Tier', ar: 'الفئة' } }) }],
    ['500 headings', { headers: ['id', 'a', ...Array.from({ length: 498 }, (_, i) => `h${i}`)] }],
    ['500 headings of one word', { headers: ['id', 'a', ...Array.from({ length: 498 }, () => 'x')] }],
    ['100 columns of 120', many(120, 100)],
    ...['string', 'number', 'boolean', 'date', 'enum', 'list'].map((type): [string, object] => [type, { mapping: column({ type }) }]),
  ]
  for (const [what, more] of taken)
    assert.equal((await ws.admin.post('/enrichment/imports', { headers: ['id', 'a'], mapping: good, ...more })).status, 201, what)
  const labelled = await begin(ws.admin, { mapping: column({ label: { en: 'Tier', ar: 'الفئة' } }), headers: [' id ', 'a'] })
  assert.deepEqual(expectStatus(await ws.admin.get(`/enrichment/imports/${labelled}`), 200).data.mapping.columns[0].label, {
    en: 'Tier',
    ar: 'الفئة',
  })
})

test('M-ENR-12 M-ENR-15 M-ENR-16 M-ENR-17 M-ENR-18 M-ENR-19 M-ENR-20 M-ENR-30 M-ENR-42 M-ENR-49 M-ENR-50 M-ENR-53 cells are read by the type of their column', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const names = { n: 'number', b: 'boolean', d: 'date', l: 'list', e: 'enum', s: 'string' }
  const columns = Object.entries(names).map(([name, type]) => ({
    column: name,
    name,
    type,
    ...(type === 'enum' && { enumValues: ['x', 'y'] }),
  }))
  const mapping = {
    identity: { column: 'id', type: 'userId' },
    columns: [...columns, { column: 'skip', name: '', type: '', include: false }],
  }
  const headers = ['id', 'n', 'b', 'd', 'l', 'e', 's', 'skip']
  await load(ws.admin, [['U', '1,234.5', 'YES', '2024-05-01', 'a| b |', 'x', '=cmd()', 'no']], { mapping, headers })
  const values = { n: 1234.5, b: true, d: '2024-05-01', l: ['a', 'b'], e: 'x', s: '=cmd()' }
  assert.deepEqual(await valuesOf(ws, 'U'), values)
  // A blank cell says nothing, whatever it is blank with.
  await load(ws.admin, [['U', ' ', '', null, '  ', '', 'b']], { mapping, headers })
  assert.deepEqual(await valuesOf(ws, 'U'), { ...values, s: 'b' })
  const cells: [column: number, cell: unknown, value: unknown][] = [
    [1, '١٢٣', 123],
    [1, '٬١٢٣', undefined],
    [1, '1٬234٫5', 1234.5],
    [1, '1e309', undefined],
    [1, '1,23', undefined],
    [1, '.5', 0.5],
    [1, '-7', -7],
    [1, 42, 42],
    [1, '0x10', undefined],
    [1, 'twelve', undefined],
    ...['true', 'yes', '1', true].map((cell): [number, unknown, unknown] => [2, cell, true]),
    ...['false', 'no', '0', false].map((cell): [number, unknown, unknown] => [2, cell, false]),
    [2, 'maybe', undefined],
    [3, '01/05/2024', undefined],
    [3, '2024-02-30', undefined],
    [3, '2024-05-01T10:00:00+03:00', '2024-05-01T07:00:00.000Z'],
    [5, 'z', undefined],
    [6, 'x'.repeat(1_001), undefined],
  ]
  const id = await begin(ws.admin, { mapping, headers })
  const rows = cells.map(([column, cell], index) => Object.assign(Array(7).fill(''), { 0: `U${index}`, [column]: cell }) as unknown[])
  const staged = await stage(ws.admin, id, rows)
  const bad = cells.filter(([, , value]) => value === undefined).length
  assert.deepEqual(staged.counts, { rows: cells.length, rejected: bad })
  const ready = await match(ws.admin, id)
  for (const [index, [column, cell, value]] of cells.entries()) {
    const name = headers[column] ?? ''
    const found = ready.sample[index]
    if (!found) break
    assert.deepEqual(found.values[name], value, `${name} ${String(cell)}`)
    assert.equal(found.reason, value === undefined ? `invalid_value:${name}` : undefined)
  }
  assert.deepEqual(ready.columnStats.n, { values: 10, invalid: 5 })
  assert.equal(ready.rejectReasons['invalid_value:n'], 5)
  // One bad cell rejects the whole row.
  const mixed = await reasonsOf(ws, [['U', 'x', 'yes']], { mapping, headers })
  assert.deepEqual([mixed.counts.rejected, mixed.columnStats.b], [1, { values: 1, invalid: 0 }])
  assert.equal((await ws.admin.post(`/enrichment/imports/${mixed.importId}/commit`)).status, 409)
  const empty = await reasonsOf(ws, [['U']], { mapping, headers })
  assert.deepEqual(empty.rejectReasons, { no_values: 1 })
  const stats = await reasonsOf(
    ws,
    [
      ['A', '1'],
      ['B', '2'],
      ['C', 'x'],
    ],
    { names: { n: 'number' } },
  )
  assert.deepEqual(stats.columnStats, { n: { values: 3, invalid: 1 } })
  const numbers = await segment(ws, 'Numbers', 'enrichment.n', 'greater_than', 1234)
  const lists = await segment(ws, 'Lists', 'enrichment.l', 'contains', 'b')
  assert.deepEqual([await membersOf(ws, numbers), await membersOf(ws, lists)], [['U'], ['U']])
})

test('M-ENR-32 M-ENR-41 M-ENR-44 M-ENR-45 M-ENR-46 M-ENR-47 M-ENR-48 rows that name nobody are rejected, each with its reason', async () => {
  const ws = await workspace()
  const reason = async (type: string, cell: string) => {
    const { rejectReasons, counts } = await reasonsOf(ws, [[cell, 'x']], { type })
    return counts.rejected === 0 ? null : Object.entries(rejectReasons)
  }
  assert.deepEqual(await reason('userId', '  '), [['missing_identity', 1]])
  assert.deepEqual(await reason('email', 'x'), [['invalid_email', 1]])
  assert.deepEqual(await reason('phone', '12'), [['invalid_phone', 1]])
  assert.deepEqual(await reason('email_sha256', 'a'.repeat(63)), [['invalid_hash', 1]])
  assert.deepEqual(await reason('phone_sha256', 'g'.repeat(64)), [['invalid_hash', 1]])
  assert.deepEqual(await reason('userId', 'u'.repeat(257)), [['invalid_user_id', 1]])
  assert.equal(await reason('userId', 'u'.repeat(256)), null)
  const id = await begin(ws.admin)
  assert.deepEqual(await stage(ws.admin, id, [['', 'x']]), { staged: 1, skipped: 0, counts: { rows: 1, rejected: 1 } })
  const rejected = expectStatus(await ws.admin.get(`/enrichment/imports/${id}/rejected`), 200)
  assert.deepEqual(rejected.data.rows, [{ row: 1, reason: 'missing_identity', identifier: '***' }])
  assert.equal(rejected.body.metadata.total, 1)
})

test('M-ENR-54 M-ENR-55 M-ENR-56 M-ENR-57 M-ENR-58 M-ENR-59 people are matched by email and phone, of which nothing readable is kept', async () => {
  const ws = await workspace()
  await contacts(ws, [{ userId: 'U', email: 'Sara@X.io', phone: '+966501234567' }])
  const cases: [type: string, cell: string][] = [
    ['email', ' SARA@x.IO '],
    ['email_sha256', sha('sara@x.io')],
    ['email_sha256', sha('sara@x.io').toUpperCase()],
    ['phone', '+966501234567'],
    ['phone', '0501234567'],
    ['phone_sha256', sha('+966501234567')],
  ]
  for (const [index, [type, cell]] of cases.entries()) {
    const id = await load(ws.admin, [[cell, String(index)]], { type })
    assert.equal((await valuesOf(ws, 'U'))['a'], String(index), `${type} ${cell}`)
    const { rows } = await sql<{ text: string }>`
      select string_agg(to_jsonb(r)::text, ' ') as text from import_rows r where workspace_id = ${ws.id} and import_id = ${id}`.execute(
      ctx.db,
    )
    assert.doesNotMatch(rows[0]?.text ?? '', /sara@|501234567/i)
  }
  // Whoever gets an email by an identify is found by it, too.
  await identify(ws.app, 'D', 'V', { email: 'v@x.io' })
  await load(ws.admin, [['V@x.io', 'v']], { type: 'email' })
  assert.deepEqual(await valuesOf(ws, 'V'), { a: 'v' })
})

test('M-ENR-13 M-ENR-43 the sample is the first 20 rows, masked', async () => {
  const ws = await workspace()
  await contacts(ws, [{ userId: 'U', email: 'person@example.com' }])
  const id = await begin(ws.admin, {
    headers: ['id', 'a', 'iban'],
    mapping: {
      identity: { column: 'id', type: 'email' },
      columns: [
        { column: 'a', name: 'a', type: 'string' },
        { column: 'iban', name: 'iban', type: 'string', pii: true },
      ],
    },
  })
  const rows = Array.from({ length: 25 }, (_, index) => [
    index === 0 ? 'person@example.com' : `other${index}@example.com`,
    'x',
    'SA0380000',
  ])
  await stage(ws.admin, id, rows)
  const { sample } = await match(ws.admin, id)
  assert.equal(sample.length, 20)
  assert.deepEqual(sample[0], { row: 1, status: 'matched', identifier: 'pe***om', values: { a: 'x', iban: '***' } })
  await commit(ws.admin, id)
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 'x', iban: 'SA0380000' })
})

test('M-ENR-40 M-ENR-51 M-ENR-52 of two rows about one person the last counts; who cannot be told apart is nobody', async () => {
  const ws = await workspace()
  await contacts(ws, [{ userId: 'U' }, { userId: 'V', email: 'one@x.io' }, { userId: 'W', email: 'ONE@x.io' }])
  const id = await begin(ws.admin)
  await stage(ws.admin, id, [
    ['U', '1'],
    ['U', '2'],
    ['X', '3'],
  ])
  const { counts, rejectReasons } = await match(ws.admin, id)
  assert.deepEqual(counts, { rows: 3, valid: 2, rejected: 1, duplicates: 1, matched: 1, unmatched: 1, matchRate: 50 })
  assert.deepEqual(rejectReasons, { duplicate_identity: 1 })
  await commit(ws.admin, id)
  assert.deepEqual(await valuesOf(ws, 'U'), { a: '2' })
  const both = await reasonsOf(ws, [['one@x.io', '1']], { type: 'email' })
  assert.deepEqual([both.rejectReasons, both.counts.rejected], [{ ambiguous_identity: 1 }, 1])
  // A later row that is rejected takes nobody's place.
  const good = await reasonsOf(
    ws,
    [
      ['U', '1'],
      ['U', ''],
    ],
    {},
  )
  assert.deepEqual(good.rejectReasons, { no_values: 1 })
})

test('M-ENR-26 M-ENR-29 a chunk may have as many rows as a chunk may, and as many cells as there may be headers', async () => {
  const ws = await workspace()
  const headers = ['id', 'a', ...Array.from({ length: LIMITS.enrichmentHeaders - 2 }, (_, i) => `h${i}`)]
  const id = await begin(ws.admin, { headers })
  const rows = Array.from({ length: 2_000 }, () => headers.map(() => 'x'))
  assert.equal((await stage(ws.admin, id, rows)).staged, 2_000)
})

test('M-ENR-29 M-ENR-31 M-ENR-33 chunks can be sent again, and are bounded', async () => {
  const ws = await workspace()
  const id = await begin(ws.admin)
  const rows = [
    ['U', '1'],
    ['V', '2'],
    ['W', '3'],
  ]
  await stage(ws.admin, id, rows)
  assert.deepEqual(await stage(ws.admin, id, rows), { staged: 0, skipped: 3, counts: { rows: 3, rejected: 0 } })
  // The first stands, whatever comes in its place.
  assert.deepEqual(
    await stage(
      ws.admin,
      id,
      [
        ['other', 'x'],
        ['X', '4'],
      ],
      3,
    ),
    { staged: 1, skipped: 1, counts: { rows: 4, rejected: 0 } },
  )
  const send = (body: object) => ws.admin.post(`/enrichment/imports/${id}/rows`, body)
  const row = ['U', '1']
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  const bad: object[] = [
    { startRow: 0, rows },
    { rows },
    { startRow: 1.5, rows },
    { startRow: 1, rows: [] },
    { startRow: 1 },
    { startRow: 1, rows: 'U,1' },
    { startRow: 1, rows: [['U', '1', 'more']] },
    { startRow: 1, rows: [['U', {}]] },
    { startRow: 1, rows: ['U'] },
    { startRow: 100, rows: Array.from({ length: 2_001 }, () => row) },
    { startRow: 200_001, rows: [row] },
    { startRow: 199_999, rows: [row, row, row] },
  ]
  for (const body of bad) assert.equal((await send(body)).status, 400, JSON.stringify(body).slice(0, 80))
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before)
  assert.equal((await send({ startRow: 1_001, rows: Array.from({ length: 2_000 }, () => row) })).status, 200)
  assert.equal((await send({ startRow: 200_000, rows: [row] })).status, 200)
})
