import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { erase, identify } from '../../../../test/builders/people.ts'
import { takeFile } from '../../../../test/builders/person-files.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, url } = await startApp()

const DAY_MS = 86_400_000
/** So many days from today, in UTC. */
const day = (days: number) => new Date(ctx.clock.ms() + days * DAY_MS).toISOString().slice(0, 10)
const record = async (by: Client, body: object = {}) =>
  expectStatus(await by.post('/subject-requests', { kind: 'access', law: 'pdpl_ksa', ...body }), 201).data
const change = (by: Client, id: string, body: object) => by.patch(`/subject-requests/${id}`, body)

test('a request has the days of its law, with the article; those that wait come by their last day', async () => {
  const { admin } = await workspace()
  const late = await record(admin, { userId: 'U', receivedOn: day(-31), note: 'by letter' })
  const grievance = await record(admin, { law: 'dpdp', kind: 'grievance' })
  const own = await record(admin, { law: 'dpdp', publishedDays: 7, userId: null })
  assert.deepEqual(
    [late, grievance, own].map(({ daysLeft, dueOn, article }) => [daysLeft, dueOn, article]),
    [
      [-1, day(-1), 'PDPL Implementing Regulation, Art. 3'],
      [90, day(90), 'DPDP Rules 2025, rule 14'],
      [7, day(7), 'DPDP Rules 2025, rule 14'],
    ],
  )
  assert.deepEqual(
    [late.userId, late.state, late.source, late.note, own.userId, late.mayExtend],
    ['U', 'open', 'member', 'by letter', null, false],
  )
  const list = async (query: string) => {
    const { data, body } = expectStatus(await admin.get(`/subject-requests?${query}`), 200)
    return { ids: data.requests.map(({ id }: any) => id), ...body.metadata }
  }
  assert.deepEqual((await list('')).ids, [own.id, grievance.id, late.id])
  const first = await list('state=waiting&limit=2')
  assert.deepEqual([first.ids, first.total], [[late.id, own.id], 3])
  assert.deepEqual((await list(`state=waiting&limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).ids, [grievance.id])
  expectStatus(await change(admin, own.id, { state: 'done' }), 200)
  assert.deepEqual((await list('state=waiting')).ids, [late.id, grievance.id])
  assert.deepEqual((await list('state=done')).ids, [own.id])
  assert.equal(expectStatus(await admin.get('/content/overview?days=1'), 200).data.waiting.subjectRequests, 2)
})

test('what cannot be is refused with what to do', async () => {
  const { admin, editor, viewer } = await workspace()
  const good = { kind: 'access', law: 'gdpr' }
  for (const [body, error] of [
    [{ ...good, kind: 'other' }, /kind/],
    [{ ...good, law: 'ccpa' }, /law/],
    [{ ...good, receivedOn: '2026-02-30' }, /receivedOn must be a day/],
    [{ ...good, receivedOn: '2026-02-03T00:00:00Z' }, /receivedOn/],
    [{ ...good, receivedOn: day(2) }, /receivedOn must not be after today/],
    [{ ...good, publishedDays: 7 }, /publishedDays/],
    [{ ...good, law: 'dpdp', publishedDays: 91 }, /publishedDays/],
    [{ ...good, userId: '' }, /userId/],
  ] as const) {
    const { status, body: said } = await admin.post('/subject-requests', body)
    assert.deepEqual([status, error.test(said.error)], [400, true], said.error)
  }
  for (const by of [await editor(), await viewer()]) {
    assert.equal((await by.post('/subject-requests', good)).body.code, 'ROLE_REQUIRED')
    assert.equal((await by.patch('/subject-requests/x', {})).body.code, 'ROLE_REQUIRED')
    expectStatus(await by.get('/subject-requests'), 200)
  }
  assert.equal((await change(admin, 'none', { state: 'done' })).status, 404)
  const { id } = await record(admin, good)
  for (const receipt of [{ exportId: 'none' }, { erasureId: 'none' }]) assert.equal((await change(admin, id, receipt)).status, 400)
  assert.match((await change(admin, id, { state: 'refused' })).body.error, /reason/)
})

test('verified and back, then refused with a reason; what is over stays so', async () => {
  const { admin } = await workspace()
  const { id } = await record(admin, { userId: 'U' })
  for (const state of ['verifying', 'open', 'verifying'])
    assert.equal(expectStatus(await change(admin, id, { state }), 200).data.state, state)
  const refused = expectStatus(await change(admin, id, { state: 'refused', reason: 'not the person' }), 200).data
  assert.deepEqual([refused.state, refused.reason, refused.daysLeft, refused.userId], ['refused', 'not the person', null, 'U'])
  assert.ok(refused.closedAt && refused.handledBy)
  for (const body of [{ state: 'open' }, { note: 'n' }, { extend: true, reason: 'r' }])
    assert.equal((await change(admin, id, body)).body.code, 'SUBJECT_REQUEST_OVER')
})

test('the time is extended once, while it runs, with a reason, where the law knows that', async () => {
  const { admin } = await workspace()
  const { id, dueOn, mayExtend } = await record(admin)
  assert.equal(mayExtend, true)
  assert.match((await change(admin, id, { extend: true })).body.error, /reason/)
  const longer = expectStatus(await change(admin, id, { extend: true, reason: 'many systems' }), 200).data
  assert.deepEqual([longer.dueOn, longer.extendedTo, longer.daysLeft, longer.mayExtend], [dueOn, day(60), 60, false])
  const isRefused = async (other: string) => (await change(admin, other, { extend: true, reason: 'r' })).body.code
  assert.equal(await isRefused(id), 'EXTENSION_NOT_ALLOWED')
  assert.equal(await isRefused((await record(admin, { receivedOn: day(-40) })).id), 'EXTENSION_NOT_ALLOWED')
  assert.equal(await isRefused((await record(admin, { law: 'dpdp' })).id), 'EXTENSION_NOT_ALLOWED')
})

test('a copy that is done names the file that was taken for it', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await takeFile(url, ws, 'U')
  const [first, second] = [await record(ws.admin, { userId: 'U' }), await record(ws.admin, { userId: 'U', kind: 'correction' })]
  // A file of before answers nothing that was asked later.
  const other = await record(ws.admin, { userId: 'U2' })
  const file = await takeFile(url, ws, 'U')
  const done = async (id: string, more: object = {}) =>
    expectStatus(await change(ws.admin, id, { state: 'done', ...more }), 200).data.exportId
  assert.equal(await done(first.id), file.id)
  assert.equal(await done(second.id), null)
  assert.equal(await done(other.id, { exportId: file.id }), file.id)
})

test('the name is sealed where it is kept, and goes with the person; what they asked for stays', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'Uncommon-name')
  const erasure = await record(ws.admin, { kind: 'erasure', userId: 'Uncommon-name', note: 'called Uncommon-name' })
  const access = await record(ws.admin, { userId: 'Uncommon-name' })
  const other = await record(ws.admin, { userId: 'somebody else', note: 'stays' })
  const rows = await ctx.db.selectFrom('subject_requests').selectAll().where('workspace_id', '=', ws.id).execute()
  assert.ok(rows.every((row) => row.user_id !== null && !row.user_id.includes('Uncommon') && !row.subject?.includes('Uncommon')))
  const { erasureId } = expectStatus(await erase(ws.app, 'D'), 200).data
  const found = async () => {
    const { requests } = expectStatus(await ws.admin.get('/subject-requests'), 200).data
    return Object.fromEntries(requests.map(({ id, userId, note, erasureId: receipt, state }: any) => [id, [userId, note, receipt, state]]))
  }
  assert.deepEqual(await found(), {
    [erasure.id]: [null, null, erasureId, 'open'],
    [access.id]: [null, null, null, 'open'],
    [other.id]: ['somebody else', 'stays', null, 'open'],
  })
  expectStatus(await change(ws.admin, erasure.id, { state: 'done' }), 200)
  const elsewhere = await record(ws.admin, { kind: 'erasure', userId: 'known elsewhere only' })
  expectStatus(await change(ws.admin, elsewhere.id, { state: 'done' }), 200)
  assert.deepEqual((await found())[elsewhere.id], [null, null, null, 'done'])
})
