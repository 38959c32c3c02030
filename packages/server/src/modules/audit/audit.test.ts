/** Who did what: each change leaves its entry in the same transaction, in a chain that shows what was done to it afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, uniqueEmail, type Workspace } from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'

const { ctx, workspace, anyone, operator, advance } = await startApp()
const RULES = { logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] }

type Listed = {
  seq: number
  at: string
  action: string
  outcome: string
  actor: { kind: string; id: string; name: string | null }
  object?: { kind: string; id: string; name: string | null }
  [member: string]: unknown
}
const entriesOf = async (ws: Workspace, query = ''): Promise<Listed[]> =>
  expectStatus(await ws.admin.get(`/audit?limit=100${query}`), 200).data.entries
const selfOf = async (ws: Workspace): Promise<string> => expectStatus(await ws.admin.get('/auth/me'), 200).data.user.userId
const actionsOf = async (ws: Workspace, query = '') => (await entriesOf(ws, query)).map(({ action, outcome }) => `${action} ${outcome}`)

test('a change of a member leaves one entry that says who did what to what, and what changed by name', async () => {
  const ws = await workspace()
  const made = expectStatus(await ws.admin.post('/segments', { name: 'Gold', ...RULES }), 201).data
  expectStatus(await ws.admin.put(`/segments/${made.id}`, { name: 'Silver' }, { headers: { 'user-agent': 'a'.repeat(300) } }), 200)
  const [changed, created] = await entriesOf(ws)
  const { seq, at, requestId, session, before, after, ...said } = changed!
  assert.deepEqual(said, {
    actor: { kind: 'member', id: await selfOf(ws), name: 'Admin' },
    action: 'updateSegment',
    object: { kind: 'segment', id: made.id, name: 'Silver' },
    outcome: 'done',
    members: ['name'],
    address: '127.0.0.1',
    userAgent: 'a'.repeat(200),
  })
  assert.match(String(session), /^[0-9a-f]{8}$/)
  assert.equal(at, new Date(at).toISOString())
  assert.ok(requestId)
  assert.equal(created?.seq, seq - 1)
  assert.deepEqual([created?.action, created?.['before'], created?.['after']], ['createSegment', undefined, before])
  assert.notEqual(before, after)
  const bound = expectStatus(await ws.admin.get(`/audit/${seq}`), 200).data
  const first = expectStatus(await ws.admin.get(`/audit/${seq - 1}`), 200).data
  assert.equal(bound.prev, first.hash)
})

test('a refused write, a read and what an app sends leave none; a refusal for want of a role leaves one a minute', async () => {
  const ws = await workspace()
  const [viewer, before] = [await ws.viewer(), (await entriesOf(ws)).length]
  assert.equal((await ws.admin.post('/segments', { name: 1 })).status, 400)
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.admin.get('/users/U'), 200)
  assert.equal((await entriesOf(ws)).length, before)
  for (let time = 0; time < 3; time++) assert.equal((await viewer.post('/segments', { name: 'x', ...RULES })).status, 403)
  const [refused, ...others] = await entriesOf(ws)
  assert.equal(others.length, before)
  assert.deepEqual([refused?.action, refused?.outcome, refused?.['reason']], ['createSegment', 'refused', 'ROLE_REQUIRED'])
  assert.equal((await viewer.get('/audit')).status, 403)
})

test('keys, the operator and sign-ins leave entries too, a failed sign-in of somebody who is known as well', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  expectStatus(await ws.write.post('/cards/register', { key: 'promo', seedInstance: false }), 201)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/suspend`), 200)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/resume`), 200)
  assert.equal((await anyone.post('/api/v1/auth/login', { email, password: 'not the password' })).status, 401)
  await until('the failed sign-in is kept', async () => (await actionsOf(ws))[0] === 'logIn failed')
  const [, resumed, suspended, registered] = await entriesOf(ws)
  assert.deepEqual(
    [resumed?.action, resumed?.actor.kind, resumed?.object],
    ['resumeWorkspace', 'operator', { kind: 'workspace', id: ws.id, name: null }],
  )
  assert.equal(suspended?.action, 'suspendWorkspace')
  assert.deepEqual([registered?.actor.kind, registered?.object], ['key', { kind: 'block', id: 'promo', name: 'promo' }])
})

test('a membership is part of the log, with who changed it and what', async () => {
  const ws = await workspace()
  await ws.viewer()
  const { userId } = expectStatus(await ws.admin.get('/members'), 200).data.members.find((each: any) => each.role === 'viewer')
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'editor' }), 200)
  const [changed] = await entriesOf(ws, '&action=updateMember')
  assert.deepEqual([changed?.object, changed?.['members']], [{ kind: 'member', id: userId, name: 'viewer' }, ['role']])
})

test('entries are found by when, who, what, which object, outcome and text', async () => {
  const ws = await workspace()
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'Gold', ...RULES }), 201).data
  expectStatus(await ws.admin.put('/settings/audit', { recordReads: true }), 200)
  for (const query of [
    `&object=segment:${id}`,
    '&object=segment',
    '&action=createSegment',
    `&text=${id.toUpperCase()}`,
    `&actor=${await selfOf(ws)}&action=createSegment`,
  ])
    assert.deepEqual(await actionsOf(ws, query), ['createSegment done'], query)
  assert.deepEqual(await actionsOf(ws, '&outcome=refused'), [])
  assert.deepEqual(await actionsOf(ws, '&to=2001-01-01'), [])
  const refused = await ws.admin.get('/audit?text=x&from=2020-01-01&to=2020-06-01')
  assert.deepEqual([refused.status, refused.body.error], [400, 'A text is looked for in at most 31 days: move from or to'])
  const pages: number[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await ws.admin.get(`/audit?limit=2&cursor=${cursor}`)
    pages.push(...body.data.entries.map(({ seq }: Listed) => seq))
    cursor = body.metadata.nextCursor
  }
  const all = (await entriesOf(ws)).map(({ seq }) => seq)
  assert.deepEqual(pages, all)
  assert.deepEqual(
    all,
    [...all.keys()].map((index) => all.length - index),
  )
})

test('of another workspace nothing is found, and numbers that lead nowhere are 404', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  for (let time = 0; time < 5; time++) expectStatus(await other.admin.put('/workspaces/current', { name: `N${time}` }), 200)
  const last = (await entriesOf(other))[0]!.seq
  const own = new Set((await entriesOf(ws)).map(({ seq }) => seq))
  assert.ok(!own.has(last))
  for (const seq of [last, 0, 'x', '-1', '1e3']) assert.equal((await ws.admin.get(`/audit/${seq}`)).status, 404, String(seq))
})

test('people stand in it only as keyed hashes: it is found what was done to somebody, and an erasure changes no row of it', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D-CANARY', 'CANARY-person')
  expectStatus(await ws.admin.post('/segments', { name: 'By hand', ...RULES }), 201)
  expectStatus(await ws.admin.post('/users/bulk/segments', { segmentId: 'By hand', action: 'add', userIds: ['CANARY-person'] }), 200)
  const rows = async () => {
    const { rows: found } = await ctx.db.executeQuery<{ entry: string; seq: number }>(
      ctx.db.selectFrom('audit_entries').select(['seq', 'entry']).where('workspace_id', '=', ws.id).orderBy('seq').compile(),
    )
    return found
  }
  const before = await rows()
  expectStatus(await ws.admin.delete('/users/CANARY-person'), 200)
  await advance(60)
  const after = await rows()
  assert.deepEqual(after.slice(0, before.length), before)
  assert.ok(!JSON.stringify(after).includes('CANARY'))
  assert.deepEqual(await actionsOf(ws, '&person=CANARY-person'), ['erasePersonOrDevice done', 'setSegmentsOfPeople done'])
  assert.deepEqual(await actionsOf(ws, '&person=somebody-else'), [])
})

test('reads of a person and of keys leave entries where a workspace wants that', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.admin.get('/users/U'), 200)
  assert.deepEqual(await actionsOf(ws, '&outcome=read'), [])
  expectStatus(await ws.admin.put('/settings/audit', { recordReads: true }), 200)
  expectStatus(await ws.admin.get('/users/U'), 200)
  expectStatus(await ws.admin.get('/segments'), 200)
  assert.deepEqual(await actionsOf(ws, '&person=U'), ['getPerson read'])
  assert.equal((await entriesOf(ws, '&outcome=read')).length, 1)
})

test('many changes at once leave an entry each without a gap; of one change fifty objects have one, and the last says how many more', async () => {
  const ws = await workspace()
  const before = (await entriesOf(ws))[0]!.seq
  await Promise.all(Array.from({ length: 20 }, (_, n) => ws.admin.put('/workspaces/current', { name: `N${n}` })))
  assert.deepEqual(
    (await entriesOf(ws)).slice(0, 20).map(({ seq }) => seq),
    Array.from({ length: 20 }, (_, n) => before + 20 - n),
  )
  const blocks = Array.from({ length: 53 }, (_, n) => ({ key: `type_${n}` }))
  expectStatus(await ws.write.post('/cards/sync', { blocks }), 200)
  const [last, ...others] = await entriesOf(ws)
  assert.deepEqual([last?.seq, last?.['more'], others[0]?.['more']], [before + 70, 3, undefined])
  assert.equal(expectStatus(await ws.admin.get('/audit/verify'), 200).data.fault, null)
})

test('settings: what is left out stays, and bad values change nothing', async () => {
  const ws = await workspace()
  const read = async () => expectStatus(await ws.admin.get('/settings/audit'), 200).data
  assert.deepEqual(await read(), { retentionDays: 400, recordReads: false, entries: (await entriesOf(ws)).length, lastCheck: null })
  expectStatus(await ws.admin.put('/settings/audit', { retentionDays: 90 }), 200)
  for (const body of [{ retentionDays: 89 }, { retentionDays: 3_651 }, { recordReads: 1 }, { other: 1 }])
    assert.equal((await ws.admin.put('/settings/audit', body)).status, 400, JSON.stringify(body))
  const { retentionDays, recordReads } = await read()
  assert.deepEqual([retentionDays, recordReads], [90, false])
})
