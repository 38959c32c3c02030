import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

async function withPeople(people: Record<string, object>): Promise<Workspace> {
  const ws = await workspace()
  const contacts = Object.entries(people).map(([userId, consent]) => ({ userId, consent }))
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts }), 200)
  return ws
}
const channelsOf = async (ws: Workspace, userId: string) => expectStatus(await ws.admin.get(`/users/${userId}`), 200).data.channels
const suppress = async (ws: Workspace, ...userIds: string[]) =>
  expectStatus(await ws.admin.post('/users/bulk/suppress', { userIds }), 200).data
const unsuppress = async (ws: Workspace, ...userIds: string[]) =>
  expectStatus(await ws.admin.post('/users/bulk/unsuppress', { userIds }), 200).data

const ALL = { push: true, sms: true, whatsapp: true, email: true, inApp: true, marketing: true, locationTracking: true }
const SUPPRESSED = { ...ALL, push: false, sms: false, whatsapp: false, email: false, marketing: false }

test('M-SUPP-01 M-SUPP-02 M-SUPP-03 M-SUPP-11 M-SUPP-12 five channels go off for each, in-app and location stay, unknown people are told', async () => {
  const ws = await withPeople({ U: ALL, U2: {} })
  assert.deepEqual(await suppress(ws, 'U', 'U2', 'nobody'), {
    suppressed: 2,
    alreadySuppressed: 0,
    notFound: 1,
    results: [
      { userId: 'U', status: 'suppressed' },
      { userId: 'U2', status: 'suppressed' },
      { userId: 'nobody', status: 'not_found' },
    ],
  })
  assert.deepEqual(await channelsOf(ws, 'U'), SUPPRESSED)
  assert.equal((await ws.admin.get('/users/U')).data.suppressed, true)
})

test('M-SUPP-04 M-SUPP-05 M-SUPP-06 M-SUPP-07 X-INT-12 each channel gets its own value back, also after suppressing twice', async () => {
  const before = { push: true, sms: false, inApp: true }
  const ws = await withPeople({ U: before })
  await suppress(ws, 'U')
  const again = await suppress(ws, 'U')
  assert.deepEqual([again.suppressed, again.alreadySuppressed, again.results[0].status], [0, 1, 'already_suppressed'])
  const restored = await unsuppress(ws, 'U')
  assert.deepEqual(restored, { restored: 1, skipped: 0, skippedUserIds: [], results: [{ userId: 'U', status: 'restored' }] })
  assert.deepEqual(await channelsOf(ws, 'U'), before)
})

test('M-SUPP-08 M-SUPP-09 whoever is not suppressed is left out and named', async () => {
  const ws = await withPeople({ U: ALL })
  const skipped = await unsuppress(ws, 'U', 'nobody')
  assert.deepEqual([skipped.restored, skipped.skipped, skipped.skippedUserIds], [0, 2, ['U', 'nobody']])
  assert.deepEqual(
    skipped.results.map(({ status }: any) => status),
    ['skipped', 'not_found'],
  )
  await suppress(ws, 'U')
  await unsuppress(ws, 'U')
  assert.deepEqual((await unsuppress(ws, 'U')).skippedUserIds, ['U'])
  assert.deepEqual(await channelsOf(ws, 'U'), ALL)
})

test('A-29 what is decided meanwhile waits for the end of the suppression', async () => {
  const ws = await withPeople({ U: ALL })
  expectStatus(await ws.app.post('/identify', { deviceId: 'D', userId: 'U', consent: true }), 200)
  await suppress(ws, 'U')
  const device = { headers: { 'x-cf-device': 'D' } }
  expectStatus(await ws.app.post('/consent', { userId: 'U', channels: { push: false, sms: true, inApp: false } }, device), 200)
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: [{ userId: 'U', consent: { email: false, whatsapp: true } }] }), 200)
  assert.deepEqual(await channelsOf(ws, 'U'), { ...SUPPRESSED, inApp: false })
  await unsuppress(ws, 'U')
  assert.deepEqual(await channelsOf(ws, 'U'), { ...ALL, push: false, inApp: false, email: false })
})

test('X-INT-13 an opt-out outlives suppression and its end', async () => {
  const ws = await withPeople({ U: ALL })
  expectStatus(await ws.admin.put('/users/U/opt-out', { optedOut: true }), 200)
  await suppress(ws, 'U')
  await unsuppress(ws, 'U')
  assert.equal((await ws.admin.get('/users/U')).data.personalOptOut, true)
})

test('X-INT-15 a segment on push consent follows', async () => {
  const ws = await withPeople({ U: ALL })
  const rules = [{ field: 'consent.push', operator: 'equals', value: true }]
  expectStatus(await ws.admin.post('/segments', { name: 'Reachable', logicalOperator: 'AND', rules }), 201)
  const names = async () => expectStatus(await ws.read.get('/read/users/U/segments'), 200).data.segmentNames
  assert.deepEqual(await names(), ['Reachable'])
  await suppress(ws, 'U')
  assert.deepEqual(await names(), [])
  await unsuppress(ws, 'U')
  assert.deepEqual(await names(), ['Reachable'])
})

test('M-ROLE-03 G-45 admins and editors may, viewers may not; 1 to 5,000 texts', async () => {
  const ws = await withPeople({ U: ALL })
  for (const path of ['/users/bulk/suppress', '/users/bulk/unsuppress']) {
    const body = { userIds: ['U'] }
    const refused = await (await ws.viewer()).post(path, body)
    assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
    for (const bad of [{}, { userIds: [] }, { userIds: 'U' }, { userIds: [1] }, { userIds: Array.from({ length: 5_001 }, String) }])
      assert.equal((await ws.admin.post(path, bad)).status, 400)
    expectStatus(await (await ws.editor()).post(path, body), 200)
  }
  assert.deepEqual(await channelsOf(ws, 'U'), ALL)
})

test('M-SUPP-01 M-BULK-17 M-BULK-01 C-IDN-01 loads, suppressions, memberships and identifies of the same people wait for each other', async () => {
  const userIds = ['A', 'B', 'C']
  const ws = await withPeople({ A: ALL, B: ALL, C: ALL })
  const rule = { field: 'consent.push', operator: 'is_true' }
  expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules: [rule] }), 201)
  const calls = [
    (turn: number) => ws.admin.post('/users/bulk/segments', { segmentId: 'S', action: turn % 2 ? 'add' : 'remove', userIds }),
    () => ws.admin.post('/users/bulk/suppress', { userIds }),
    () => ws.admin.post('/users/bulk/unsuppress', { userIds: userIds.toReversed() }),
    (turn: number) =>
      ws.admin.post('/users/bulk/contacts', { contacts: userIds.map((userId) => ({ userId, consent: { push: turn % 2 === 0 } })) }),
    (turn: number) => ws.app.post('/identify', { deviceId: `D${turn % 3}`, userId: userIds[turn % 3], consent: true, traits: { turn } }),
  ]
  for (let round = 0; round < 8; round++) {
    const turns = [0, 1, 2].map((turn) => round + turn)
    const answers = await Promise.all(turns.flatMap((turn) => calls.map((call) => call(turn))))
    for (const answer of answers) expectStatus(answer, 200)
  }
})
