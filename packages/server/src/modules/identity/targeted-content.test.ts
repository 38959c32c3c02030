/** What an identify changes in what the device is sent, at once (C-IDN-09 and what hangs on it). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { deny, erase, identify, titlesFor } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, advance, fault } = await startApp()

type Leaf = { field: string; operator: string; value?: unknown }
const GOLD: Leaf = { field: 'customAttributes.plan', operator: 'equals', value: 'gold' }
const has = (field: string): Leaf => ({ field, operator: 'exists' })

async function segment({ admin }: Workspace, name: string, ...rules: Leaf[]): Promise<string> {
  return expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201).data.id
}

/** A workspace with one block for everybody and one for each segment, titled like it. */
async function shop(segments: Record<string, Leaf>): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'all' } })
  for (const [name, rule] of Object.entries(segments)) {
    await segment(ws, name, rule)
    await ws.instance('promo', { seg: name, values: { '#title': name } })
  }
  return ws
}

/** Names of the people and anonymous devices who are stored members of a segment of this name. */
async function members({ admin }: Workspace, name: string): Promise<string[]> {
  const { data } = expectStatus(await admin.get(`/segments?search=${encodeURIComponent(name)}`), 200)
  const { id } = data.segments.find((one: any) => one.name === name)
  const answer = expectStatus(await admin.get(`/segments/${id}/members`), 200)
  return [...answer.data.userIds, ...(answer.data.deviceIds ?? [])].sort()
}

async function addByHand({ admin }: Workspace, segmentId: string, ...userIds: string[]): Promise<void> {
  expectStatus(await admin.post('/users/bulk/segments', { segmentId, userIds }), 200)
}

test('C-IDN-09 C-IDN-10 C-HDR-03 C-DEV-06 the membership is in the answer, in the next sync and stored', async () => {
  const ws = await shop({ Gold: GOLD })
  assert.deepEqual(await titlesFor(ws, 'D'), ['all'])
  const { data } = await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(data.segments, ['Gold'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'all'])
  assert.deepEqual(await titlesFor(ws), ['all'])
  assert.deepEqual(await members(ws, 'Gold'), ['U'])
})

test('C-IDN-18 each identify decides again', async () => {
  const ws = await shop({ Gold: GOLD, Silver: { ...GOLD, value: 'silver' } })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'all'])
  assert.deepEqual((await identify(ws.app, 'D', 'U', { traits: { plan: 'silver' } })).data.segments, ['Silver'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['Silver', 'all'])
  assert.deepEqual([await members(ws, 'Gold'), await members(ws, 'Silver')], [[], ['U']])
})

test('C-IDN-17 C-DEV-01 segments follow the user the device is switched to', async () => {
  const ws = await shop({ Gold: GOLD })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual((await identify(ws.app, 'D', 'U2')).data.segments, [])
  assert.deepEqual(await titlesFor(ws, 'D'), ['all'])
})

test('C-DEV-09 C-DEV-13 a denial ends targeted content at once, also of who was added by hand; consent brings it back', async () => {
  const ws = await shop({ Gold: GOLD, Hand: { ...GOLD, value: 'never' } })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  await addByHand(ws, 'Hand', 'U')
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['Gold', 'Hand'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'Hand', 'all'])
  assert.deepEqual((await deny(ws.app, 'D')).data.segments, [])
  assert.deepEqual(await titlesFor(ws, 'D'), ['all'])
  await deny(ws.app, 'E', { userId: 'U', traits: { plan: 'gold' } })
  assert.deepEqual(await titlesFor(ws, 'E'), ['all'])
  await identify(ws.app, 'D')
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'Hand', 'all'])
})

test('C-DEV-07 C-DEV-12 traits of a denial never match; a consent with traits does', async () => {
  const ws = await shop({ Gold: GOLD })
  await deny(ws.app, 'D', { userId: 'U', traits: { plan: 'gold' } })
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, [])
  assert.deepEqual((await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })).data.segments, ['Gold'])
})

test('C-DEV-15 C-DEV-16 C-DEV-17 C-DEV-23 C-DEV-24 C-DEV-25 which traits match', async () => {
  const ws = await shop({
    upper: has('customAttributes.Plan'),
    lower: has('customAttributes.plan'),
    long: has(`customAttributes.${'k'.repeat(64)}`),
    tag: { field: 'customAttributes.tags', operator: 'contains', value: 'a' },
    ok: has('customAttributes.ok'),
  })
  const after = async (traits: unknown) => (await identify(ws.app, 'D', 'U', { traits })).data.segments
  assert.deepEqual(await after({ Plan: 'x' }), ['upper'])
  assert.deepEqual(await after({ plan: 'x', ['k'.repeat(64)]: 1 }), ['long', 'lower'])
  assert.deepEqual(await after({ tags: ['a', 'b'], addr: { city: 'R' } }), ['tag'])
  assert.deepEqual(await after({ 'a.b': 1, $c: 1, 'd-e': 1, '': 1, ['k'.repeat(65)]: 1, ok: 1 }), ['ok'])
  for (const same of [undefined, {}, null, 'x', [1]]) assert.deepEqual(await after(same), ['ok'])
})

test('C-DEV-32 segments of the anonymous person and of the user are combined', async () => {
  const ws = await shop({ S1: { ...GOLD, value: 'never' }, S2: { ...GOLD, value: 'never' } })
  await identify(ws.app, 'D')
  await identify(ws.app, 'E', 'U')
  await addByHand(ws, 'S1', 'D')
  await addByHand(ws, 'S2', 'U')
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['S1', 'S2'])
  assert.deepEqual([await members(ws, 'S1'), await members(ws, 'S2')], [['U'], ['U']])
  assert.deepEqual(await titlesFor(ws, 'D'), ['S1', 'S2', 'all'])
})

test('C-OUT-04 C-OUT-05 after a sign-out the person’s segments stay theirs and no longer steer the device', async () => {
  const ws = await shop({ Gold: GOLD })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'all'])
  expectStatus(await ws.app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual(await titlesFor(ws, 'D'), ['all'])
  assert.deepEqual(await members(ws, 'Gold'), ['U'])
})

test('C-ERASE-18 C-ERASE-05 X-INT-21 an erasure ends it for every device of the person, and the person is no member', async () => {
  const ws = await shop({ Gold: GOLD, Tier: has('enrichment.tier') })
  for (const device of ['D', 'D2']) await identify(ws.app, device, 'U', { traits: { plan: 'gold' } })
  await ctx.db.updateTable('profiles').set({ enrichment: '{"tier":"gold"}' }).where('workspace_id', '=', ws.id).execute()
  await identify(ws.app, 'E', 'U2', { traits: { plan: 'gold' } })
  for (const device of ['D', 'D2', 'E']) assert.deepEqual(await titlesFor(ws, device), ['Gold', 'all'])
  await identify(ws.app, 'D', 'U')
  assert.deepEqual([await members(ws, 'Gold'), await members(ws, 'Tier')], [['U', 'U2'], ['U']])
  expectStatus(await erase(ws.app, 'D'), 200)
  for (const device of ['D', 'D2']) assert.deepEqual(await titlesFor(ws, device), ['all'])
  assert.deepEqual(await titlesFor(ws, 'E'), ['Gold', 'all'])
  assert.deepEqual([await members(ws, 'Gold'), await members(ws, 'Tier')], [['U2'], []])
})

test('C-ERASE-18 C-ERASE-16 targeted content ends with the request, also while nothing can be erased yet', async () => {
  const ws = await shop({ Gold: GOLD })
  for (const device of ['D', 'D2']) await identify(ws.app, device, 'U', { traits: { plan: 'gold' } })
  for (const device of ['D', 'D2']) assert.deepEqual(await titlesFor(ws, device), ['Gold', 'all'])
  await fault('erase_part', true)
  try {
    assert.equal((await erase(ws.app, 'D')).status, 502)
    for (const device of ['D', 'D2']) assert.deepEqual(await titlesFor(ws, device), ['all'])
  } finally {
    await fault('erase_part', false)
  }
})

test('X-INT-41 a lapsed record gets untargeted content until the next identify', async () => {
  const ws = await shop({ Gold: GOLD })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'all'])
  await advance(24 * 3600 + 60)
  assert.deepEqual(await titlesFor(ws, 'D'), ['all'])
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'all'])
})

test('X-INT-45 A-23 two devices of one user each go by their own last identify', async () => {
  const ws = await shop({ a: has('customAttributes.a'), b: has('customAttributes.b') })
  await identify(ws.app, 'D', 'U', { traits: { a: 1 } })
  assert.deepEqual((await identify(ws.app, 'D2', 'U', { traits: { b: 1 } })).data.segments, ['b'])
  assert.deepEqual(
    [await titlesFor(ws, 'D'), await titlesFor(ws, 'D2')],
    [
      ['a', 'all'],
      ['all', 'b'],
    ],
  )
  assert.deepEqual([await members(ws, 'a'), await members(ws, 'b')], [[], ['U']])
})

test('C-DEV-30 C-DEV-31 C-DEV-32 signing in without traits takes none from the user: what was said before is added', async () => {
  const plan = (value: string): Leaf => ({ ...GOLD, value })
  const ws = await shop({ Gold: GOLD, Silver: plan('silver'), J: has('customAttributes.j') })
  await identify(ws.app, 'D2', 'U', { traits: { plan: 'gold' } })
  await identify(ws.app, 'D', undefined, { traits: { plan: 'silver', j: 1 } })
  assert.deepEqual(await titlesFor(ws, 'D'), ['J', 'Silver', 'all'])
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments.sort(), ['Gold', 'J'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'J', 'all'])
  assert.deepEqual([await members(ws, 'Gold'), await members(ws, 'J'), await members(ws, 'Silver')], [['U'], ['U'], []])
  // What the sign-in itself says replaces all of it, as ever.
  await identify(ws.app, 'D3', undefined, { traits: { j: 1 } })
  assert.deepEqual((await identify(ws.app, 'D3', 'U', { traits: { plan: 'silver' } })).data.segments, ['Silver'])
})

test('C-DEV-25 C-OUT-05 C-OUT-07 whoever logged out and in again is who they were, also without traits', async () => {
  const ws = await shop({ Gold: GOLD, J: has('customAttributes.j') })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  expectStatus(await ws.app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual(await titlesFor(ws, 'D'), ['all'])
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['Gold'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['Gold', 'all'])
  // Nobody else is, on the same device.
  assert.deepEqual((await identify(ws.app, 'D', 'U2')).data.segments, [])
  assert.deepEqual((await identify(ws.app, 'D', 'U', { traits: {} })).data.segments, ['Gold'])
  expectStatus(await ws.app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual((await identify(ws.app, 'D', undefined, { traits: { j: 1 } })).data.segments, ['J'])
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments.sort(), ['Gold', 'J'])
  // A further device of theirs that says nothing either.
  assert.deepEqual((await identify(ws.app, 'D2', 'U')).data.segments.sort(), ['Gold', 'J'])
  await advance(61)
  assert.deepEqual(await titlesFor(ws, 'D2'), ['Gold', 'J', 'all'])
})

test('C-PROF-01 C-PROF-03 C-PROF-04 C-PROF-05 C-PROF-09 industry data steers segments, category by category, whatever the traits', async () => {
  const ws = await shop({
    gold: { field: 'industryProfile.banking.tier', operator: 'equals', value: 'gold' },
    x: has('industryProfile.banking.x'),
    first: { field: 'industryProfile.travel.class', operator: 'equals', value: 'first' },
  })
  const post = async (category: string, data: object) =>
    expectStatus(await ws.app.post('/profile', { deviceId: 'D', userId: 'U', category, data }), 200)
  await identify(ws.app, 'D', 'U')
  await post('banking', { tier: 'gold', x: 1 })
  assert.deepEqual(await members(ws, 'gold'), ['U'], 'stored at once')
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['gold', 'x'])
  await post('banking', { tier: 'gold' })
  await post('travel', { class: 'first' })
  assert.deepEqual((await identify(ws.app, 'D', 'U', { traits: { other: 1 } })).data.segments, ['first', 'gold'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['all', 'first', 'gold'])
})

test('C-FLAG-07 industry data sent while it is switched off matches nothing', async () => {
  const ws = await shop({ gold: { field: 'industryProfile.banking.tier', operator: 'equals', value: 'gold' } })
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.admin.put('/settings/features', { features: { profileUpdates: false } }), 200)
  expectStatus(await ws.app.post('/profile', { deviceId: 'D', userId: 'U', category: 'banking', data: { tier: 'gold' } }), 200)
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, [])
})

test('C-SBX-08 with a sandbox a test key is judged by the segments of the sandbox', async () => {
  const ws = await workspace()
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  await segment(ws, 'of W', has('customAttributes.plan'))
  const rules = [has('customAttributes.plan')]
  const headers = { 'x-tenant-id': sandbox.workspaceId }
  expectStatus(await ws.admin.post('/segments', { name: 'of X', logicalOperator: 'AND', rules }, { headers }), 201)
  assert.deepEqual((await identify(ws.testApp, 'T', 'U', { traits: { plan: 'gold' } })).data.segments, ['of X'])
  assert.deepEqual((await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })).data.segments, ['of W'])
})

test('A-10 C-SBX-03 a read with a key of the other environment is answered without targeting', async () => {
  const ws = await shop({ Gold: GOLD })
  await identify(ws.testApp, 'T', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(await titlesFor(ws, 'T', ws.test), ['Gold', 'all'])
  assert.deepEqual(await titlesFor(ws, 'T'), ['all'])
})

test('X-INT-25 a token on the device stays there when the person does not agree', async () => {
  const ws = await workspace()
  await deny(ws.app, 'D')
  expectStatus(await ws.app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  await deny(ws.app, 'D', { userId: 'U' })
  const rows = await ctx.db.selectFrom('push_registrations').select('profile_id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(rows, [{ profile_id: null }])
})
