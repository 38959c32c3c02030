/** Segments as the dashboard manages them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { OPERATOR_NAMES } from '@contentflow/core/targeting/operators.ts'
import { clientOf, expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const RULE = { field: 'customAttributes.plan', operator: 'equals', value: 'gold' }
const body = (name: string, more: object = {}) => ({ name, logicalOperator: 'AND', rules: [RULE], ...more })
const make = async (ws: Workspace, name: string, more: object = {}) =>
  expectStatus(await ws.admin.post('/segments', body(name, more)), 201).data
const TAKEN = { success: false, error: 'Segment name must be unique within the tenant' }

test('M-SEG-01 G-43 a segment is made, read, listed, changed and deleted', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  const made = await make(ws, 'Gold')
  assert.equal(made.memberCount, 1)
  const { id, createdAt, updatedAt, exactAsOf, ...rest } = made
  const usedBy = { instances: [], instanceCount: 0, segments: [], campaigns: [], journeys: [] }
  assert.deepEqual(rest, { ...body('Gold'), excludedSegments: [], updateFrequency: 'realtime', memberCount: 1, version: 1, usedBy })
  for (const time of [createdAt, updatedAt, exactAsOf]) assert.match(time, /^\d{4}-.*Z$/)
  assert.deepEqual((await ws.admin.get(`/segments/${id}`)).data, made)
  const list = (await ws.admin.get('/segments')).body
  assert.deepEqual([list.data.segments, list.metadata], [[made], { total: 1, nextCursor: null }])
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'silver' }]
  const changed = expectStatus(await ws.admin.put(`/segments/${id}`, { rules }), 200).data
  assert.deepEqual([changed.name, changed.logicalOperator, changed.rules, changed.memberCount], ['Gold', 'AND', rules, 0])
  assert.equal(expectStatus(await ws.admin.put(`/segments/${id}`, { logicalOperator: 'OR' }), 200).data.logicalOperator, 'OR')
  assert.deepEqual(expectStatus(await ws.admin.delete(`/segments/${id}`), 200).data, { deleted: true })
  assert.equal((await ws.admin.get(`/segments/${id}`)).status, 404)
})

test('M-SEG-02 a name has 1 to 100 characters', async () => {
  const ws = await workspace()
  for (const name of ['', '   ', 'x'.repeat(101), 5, null]) {
    const refused = await ws.admin.post('/segments', { ...body('x'), name })
    assert.deepEqual([refused.status, refused.body.code], [400, undefined], String(name))
  }
  assert.equal((await ws.admin.post('/segments', { logicalOperator: 'AND', rules: [RULE] })).status, 400)
  for (const name of ['x', 'x'.repeat(100), '😀'.repeat(100), 'عملاء ذهبيون']) assert.equal((await make(ws, name)).name, name)
})

test('M-SEG-03 M-ERR-14 a name is there once in a workspace', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const { id } = await make(ws, 'Gold')
  await make(ws, 'gold')
  for (const name of ['Gold', 'All users']) {
    const refused = await ws.admin.post('/segments', body(name))
    assert.deepEqual([refused.status, refused.body], [409, TAKEN])
  }
  const silver = await make(ws, 'Silver')
  const renamed = await ws.admin.put(`/segments/${silver.id}`, { name: 'Gold' })
  assert.deepEqual([renamed.status, renamed.body], [409, TAKEN])
  expectStatus(await ws.admin.put(`/segments/${id}`, { name: 'Gold' }), 200)
  await make(other, 'Gold')
  const together = await Promise.all(Array.from({ length: 5 }, () => ws.admin.post('/segments', body('New'))))
  assert.deepEqual(together.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

test('M-SEG-04 M-SEG-05 C-SEG-12 C-SEG-18 C-SEG-20 what is no rule is refused with the place of the fault', async () => {
  const ws = await workspace()
  const refused: [object, RegExp][] = [
    [{ rules: [] }, /at least one rule/],
    [{ rules: undefined }, /rules/],
    [{ rules: 'x' }, /rules/],
    [{ logicalOperator: 'XOR' }, /logicalOperator/],
    [{ logicalOperator: undefined }, /logicalOperator/],
    [{ rules: [{ logicalOperator: 'XOR', conditions: [RULE] }] }, /rules\[0\]/],
    [{ rules: [RULE, { ...RULE, operator: 'like' }] }, /rules\[1\]: operator/],
    [{ rules: [{ ...RULE, field: 'foo.bar' }] }, /rules\[0\]: field/],
    [{ rules: [{ ...RULE, operator: 'regex', value: '(' }] }, /regular expression/],
    [{ rules: [{ ...RULE, operator: 'regex', value: '(?=a)' }] }, /look-around/],
    [{ rules: [{ ...RULE, operator: 'regex', value: '(a)\\1' }] }, /back-reference/],
    [{ rules: [{ ...RULE, operator: 'regex', value: 'a'.repeat(501) }] }, /500/],
    [{ excludedSegments: ['Nobody'] }, /Nobody/],
    [{ excludedSegments: 'x' }, /excludedSegments/],
    [{ updateFrequency: null }, /updateFrequency/],
  ]
  for (const [more, text] of refused) {
    const answer = await ws.admin.post('/segments', { ...body('Refused'), ...more })
    assert.deepEqual([answer.status, answer.body.code], [400, undefined], JSON.stringify(more))
    assert.match(answer.body.error, text)
  }
  const inGroup = { rules: [RULE, { logicalOperator: 'AND', conditions: [{ ...RULE, operator: 'is_true', field: 'foo.bar' }] }] }
  const { rule, error } = (await ws.admin.post('/segments', body('Refused', inGroup))).body
  assert.deepEqual([rule.path, error], [[1, 0], `rules[1].conditions[0]: ${rule.reason}`])
  const { id } = await make(ws, 'Kept')
  for (const [more] of refused.filter(([each]) => Object.values(each)[0] !== undefined))
    assert.equal((await ws.admin.put(`/segments/${id}`, more)).status, 400, JSON.stringify(more))
  assert.equal((await ws.admin.get('/segments')).body.metadata.total, 1)
})

test('C-SEG-12 C-SEG-14 A-61 groups nest six levels deep and no deeper', async () => {
  const ws = await workspace()
  const nest = (depth: number): object =>
    depth === 0 ? RULE : { logicalOperator: depth % 2 ? 'AND' : 'OR', conditions: [nest(depth - 1)] }
  for (const depth of [1, 5, 6]) await make(ws, `${depth}`, { rules: [nest(depth)] })
  for (const depth of [7, 8]) assert.equal((await ws.admin.post('/segments', body('x', { rules: [nest(depth)] }))).status, 400)
  const { data } = await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(data.segments, ['1', '5', '6'])
})

test('C-SEG-16 C-SEG-17 C-SEG-19 every prefix and all 24 operators are taken', async () => {
  const ws = await workspace()
  const fields = ['demographic.country', 'behavioral.clicks', 'device.platform', 'consent.push', 'location.city', 'metadata.createdAt']
  for (const field of [...fields, 'enrichment.score', 'industryProfile.retail.tier', 'currentLocation.latitude', 'lifecycle'])
    await make(ws, field, { rules: [{ field, operator: 'exists' }] })
  const values: Record<string, unknown> = {
    between: [1, 2],
    in: ['a'],
    not_in: ['a'],
    regex: '^a',
    not_regex: '^a',
    date_after: '2026-01-01',
    date_before: '2026-01-01',
    days_ago: 3,
    app_version_gte: '1.2',
    geo_radius: { latitude: 1, longitude: 2, radiusMeters: 3 },
  }
  assert.equal(OPERATOR_NAMES.length, 24)
  for (const operator of OPERATOR_NAMES) {
    const field = operator === 'geo_radius' ? 'currentLocation' : 'metadata.lastSeenAt'
    const { rules } = await make(ws, operator, { rules: [{ field, operator, value: values[operator] ?? 'x' }] })
    assert.deepEqual(rules, [{ field, operator, value: values[operator] ?? 'x' }])
  }
})

test('M-SEG-07 the update frequency is one of four', async () => {
  const ws = await workspace()
  for (const updateFrequency of ['realtime', 'hourly', 'daily', 'weekly'])
    assert.equal((await make(ws, updateFrequency, { updateFrequency })).updateFrequency, updateFrequency)
  for (const updateFrequency of ['monthly', 'Daily', '', 1])
    assert.equal((await ws.admin.post('/segments', body('x', { updateFrequency }))).status, 400)
})

test('G-43 excluded segments are named by name or id, and never in a circle', async () => {
  const ws = await workspace()
  const [a, b] = [await make(ws, 'A'), await make(ws, 'B')]
  const c = await make(ws, 'C', { excludedSegments: ['A', b.id, a.id] })
  assert.deepEqual(c.excludedSegments, ['A', 'B'])
  for (const [id, excludedSegments] of [
    [a.id, ['A']],
    [a.id, ['C']],
  ]) {
    const refused = await ws.admin.put(`/segments/${id}`, { excludedSegments })
    assert.deepEqual([refused.status, refused.body.code], [400, 'SEGMENT_CIRCLE'])
    assert.match(refused.body.error, /circle/)
  }
  // A-53: the segment of this id is meant, not the one of this name.
  await make(ws, a.id)
  assert.deepEqual((await make(ws, 'D', { excludedSegments: [a.id] })).excludedSegments, ['A'])
  assert.deepEqual(expectStatus(await ws.admin.put(`/segments/${c.id}`, { excludedSegments: [] }), 200).data.excludedSegments, [])
})

test('X-INT-40 a segment in use is deleted only by force; then what points at it reaches nobody', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await make(ws, 'Gold')
  const { title } = await ws.instance('promo', { title: 'For gold', seg: 'Gold', values: { '#title': 'x' } })
  const draft = await make(ws, 'Drafted')
  await ws.instance('promo', { seg: 'Drafted' }, { publish: false })
  const dependent = await make(ws, 'Others', { rules: [{ ...RULE, operator: 'exists' }], excludedSegments: ['Gold'] })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.equal((await ws.blocks('D')).length, 1)
  const refused = await ws.admin.delete(`/segments/${id}`)
  assert.deepEqual([refused.status, refused.body.code], [409, undefined])
  assert.ok(refused.body.error.includes(`"${title}" of block promo`) && refused.body.error.includes('segment "Others"'))
  assert.equal((await ws.admin.delete(`/segments/${draft.id}`)).status, 409)
  assert.equal((await ws.admin.get(`/segments/${dependent.id}`)).data.memberCount, 0)
  expectStatus(await ws.admin.delete(`/segments/${id}?force=true`), 200)
  const { memberCount, excludedSegments } = (await ws.admin.get(`/segments/${dependent.id}`)).data
  assert.deepEqual([memberCount, excludedSegments], [1, []])
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await ws.blocks('D'), [])
})

test('X-INT-40 M-SEG-10 after a rename instances keep the old name and match nobody', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await make(ws, 'Gold')
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'x' } })
  assert.deepEqual((await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })).data.segments, ['Gold'])
  assert.equal((await ws.blocks('D')).length, 1)
  const renamed = expectStatus(await ws.admin.put(`/segments/${id}`, { name: 'VIP' }), 200).data
  assert.equal(renamed.warnings.length, 1)
  assert.match(renamed.warnings[0], /"Gold"/)
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['VIP'])
  assert.deepEqual(await ws.blocks('D'), [])
})

test('M-ROLE-13 a viewer reads segments and changes none', async () => {
  const ws = await workspace()
  const [viewer, editor] = [await ws.viewer(), await ws.editor()]
  const { id } = expectStatus(await editor.post('/segments', body('Gold')), 201).data
  for (const answer of [
    await viewer.post('/segments', body('Mine')),
    await viewer.put(`/segments/${id}`, { name: 'x' }),
    await viewer.delete(`/segments/${id}`),
    await viewer.post(`/segments/${id}/refresh`, {}),
    await viewer.post('/users/bulk/segments', { segmentId: id, userIds: ['U'] }),
  ])
    assert.deepEqual([answer.status, answer.body.code], [403, 'ROLE_REQUIRED'])
  for (const path of ['/segments', `/segments/${id}`, `/segments/${id}/members`]) expectStatus(await viewer.get(path), 200)
  expectStatus(await viewer.post('/segments/preview', { logicalOperator: 'AND', rules: [RULE] }), 200)
  expectStatus(await editor.delete(`/segments/${id}`), 200)
})

test('G-04 an unknown segment is 404 without code, before anything in the body', async () => {
  const ws = await workspace()
  const id = randomUUID()
  for (const answer of [
    await ws.admin.get(`/segments/${id}`),
    await ws.admin.put(`/segments/${id}`, { rules: [] }),
    await ws.admin.delete(`/segments/${id}`),
    await ws.admin.post(`/segments/${id}/refresh`),
    await ws.admin.get(`/segments/${id}/members`),
  ])
    assert.deepEqual([answer.status, answer.body.success, answer.body.code], [404, false, undefined])
})

test('G-04 segments are listed oldest first, by pages, and searched by name', async () => {
  const ws = await workspace()
  const names = ['Gold', 'Silver', 'Golden age', 'عملاء', '100%']
  for (const name of names) await make(ws, name)
  const seen: string[] = []
  let cursor = ''
  do {
    const { data, metadata } = expectStatus(await ws.admin.get(`/segments?limit=2${cursor && `&cursor=${cursor}`}`), 200).body
    assert.equal(metadata.total, 5)
    seen.push(...data.segments.map((segment: { name: string }) => segment.name))
    cursor = metadata.nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(seen, names)
  for (const [search, found] of [
    ['gold', ['Gold', 'Golden age']],
    ['%', ['100%']],
    ['عمل', ['عملاء']],
    ['_', []],
  ] as const) {
    const { data } = await ws.admin.get(`/segments?search=${encodeURIComponent(search)}`)
    assert.deepEqual(
      data.segments.map((segment: { name: string }) => segment.name),
      found,
    )
  }
})

test('a preview counts who would be a member and stores nothing', async () => {
  const ws = await workspace()
  for (let i = 0; i < 25; i++) await identify(ws.app, `D${i}`, `U${i}`, { traits: { plan: i < 23 ? 'gold' : 'silver', i }, name: `N${i}` })
  await identify(ws.app, 'A', undefined, { traits: { plan: 'silver' } })
  await identify(ws.testApp, 'T', 'T', { traits: { plan: 'gold' } })
  await make(ws, 'First', { rules: [{ field: 'customAttributes.i', operator: 'equals', value: 0 }] })
  const preview = async (more: object) =>
    expectStatus(await ws.admin.post('/segments/preview', { logicalOperator: 'AND', rules: [RULE], ...more }), 200).data
  const gold = await preview({})
  assert.deepEqual([gold.count, gold.sample.length, gold.sample[0]], [23, 20, { userId: 'U0', deviceId: null, name: 'N0' }])
  assert.ok(Number.isInteger(gold.tookMs) && gold.asOf)
  assert.equal((await preview({ excludedSegments: ['First'] })).count, 22)
  assert.deepEqual((await preview({ environment: 'test' })).sample, [{ userId: 'T', deviceId: null, name: null }])
  const silver = await preview({ rules: [{ ...RULE, operator: 'regex', value: '^sil' }] })
  assert.deepEqual([silver.count, silver.sample.map(({ deviceId }: { deviceId: string }) => deviceId)], [3, [null, null, 'A']])
  for (const more of [{ rules: [] }, { environment: 'x' }, { excludedSegments: ['Nobody'] }])
    assert.equal((await ws.admin.post('/segments/preview', { logicalOperator: 'AND', rules: [RULE], ...more })).status, 400)
  assert.equal((await ws.admin.get('/segments')).body.metadata.total, 1)
})

test('G-11 a sandbox starts with the segments and nobody in them', async () => {
  const ws = await workspace()
  await make(ws, 'A')
  await make(ws, 'B', { rules: [{ ...RULE, operator: 'exists' }], excludedSegments: ['A'] })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'silver' } })
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const sandbox = (path: string) => ws.admin.get(path, { headers: { 'x-tenant-id': workspaceId } })
  const copies = (await sandbox('/segments')).data.segments
  assert.deepEqual(
    copies.map((segment: Record<string, unknown>) => [segment['name'], segment['excludedSegments'], segment['memberCount']]),
    [
      ['A', [], 0],
      ['B', ['A'], 0],
    ],
  )
  const { data } = await identify(ws.testApp, 'T', 'T', { traits: { plan: 'silver' } })
  assert.deepEqual(data.segments, ['B'])
  assert.deepEqual((await sandbox(`/segments/${copies[1].id}/members`)).data.userIds, ['T'])
  assert.equal((await sandbox('/segments')).data.segments[1].memberCount, 1)
  await ws.admin.put(`/segments/${copies[1].id}`, { name: 'Changed in the parent' })
  assert.equal((await sandbox('/segments')).data.segments[1].name, 'B')
})

test('M-BULK-25 M-ROLE-02 bulk segments take a portal token from a script, of an admin or editor', async () => {
  const ws = await workspace()
  await make(ws, 'Gold')
  const editor = await ws.editor()
  expectStatus(await editor.post('/users/bulk/segments', { segmentId: 'Gold', userIds: ['U'] }), 200)
  const refused = await clientOf(`${url}/api/v1`, { 'x-tenant-id': ws.id }).post('/users/bulk/segments', {
    segmentId: 'Gold',
    userIds: ['U'],
  })
  assert.equal(refused.status, 401)
})

test('a change or deletion on top of somebody else’s is 412 and changes nothing; without If-Match it works as ever', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.a', operator: 'exists' }]
  const made = expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules }), 201)
  assert.deepEqual([made.data.version, made.headers.get('etag')], [1, '"1"'])
  const path = `/segments/${made.data.id}`
  const as = (version: string) => ({ headers: { 'if-match': version } })
  const changed = expectStatus(await ws.admin.put(path, { name: 'T' }, as('"1"')), 200)
  assert.deepEqual([changed.data.version, changed.headers.get('etag')], [2, '"2"'])
  for (const stale of ['"1"', '7', 'what']) {
    expectStatus(await ws.admin.put(path, { name: 'U' }, as(stale)), 412)
    expectStatus(await ws.admin.delete(path, as(stale)), 412)
  }
  const kept = expectStatus(await ws.admin.get(path), 200)
  assert.deepEqual([kept.data.name, kept.data.version, kept.headers.get('etag')], ['T', 2, '"2"'])
  const both = await Promise.all(['V', 'W'].map((name) => ws.admin.put(path, { name }, as('W/"2"'))))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  expectStatus(await ws.admin.put(path, { name: 'X' }), 200)
  expectStatus(await ws.admin.post(`${path}/refresh`), 202)
  expectStatus(await ws.admin.delete(path, as('4')), 200)
  expectStatus(await ws.admin.get(path), 404)
})
