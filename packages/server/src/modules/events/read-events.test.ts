import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client } from '../../../test/builders/builders.ts'
import { track, workspaceOverTime } from '../../../test/builders/events.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const builders = await startApp()
const { workspace, advance, ctx } = builders

async function read(admin: Client, path: string) {
  const { data, body } = expectStatus(await admin.get(path), 200)
  return { ...data, ...body.metadata, types: data.events.map(({ type }: any) => type) }
}

test('the newest events of a person come first, with everything that was kept of them', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  for (const { app } of [ws, other]) await identify(app, 'D', 'U')
  await identify(ws.app, 'D2', 'U')
  await identify(ws.testApp, 'T', 'U')
  await track(ws.app, 'D', [
    { type: 'impression', blockKey: 'hero', instanceId: 'i1', screen: 'home' },
    { type: 'click', blockKey: 'hero' },
  ])
  await advance(1)
  const purchase = { type: 'purchase', value: 12.5, currency: 'SAR', properties: { sku: 'a', list: [1] }, timestamp: ctx.clock.ms() }
  await track(ws.app, 'D2', [purchase])
  await track(other.app, 'D', [{ type: 'of_other' }])
  await track(ws.testApp, 'T', [{ type: 'of_test' }])
  const { types, events, total, nextCursor, since } = await read(ws.admin, '/users/U/events')
  assert.deepEqual([types, total, nextCursor], [['purchase', 'click', 'impression'], 3, null])
  assert.ok(Math.abs(Date.parse(since) - (ctx.clock.ms() - 30 * 86_400_000)) < 60_000)
  const [{ id, at, occurredAt, ...bought }, , { id: first, at: seenAt, ...seen }] = events
  assert.ok(id !== first && at > seenAt && occurredAt <= at)
  const nothing = {
    blockKey: null,
    instanceId: null,
    campaignId: null,
    screen: null,
    stringKey: null,
    fenceId: null,
    sessionId: null,
    platform: null,
  }
  assert.deepEqual(bought, {
    ...nothing,
    type: 'purchase',
    deviceId: 'D2',
    value: 12.5,
    currency: 'SAR',
    properties: { sku: 'a', list: [1] },
  })
  const { value, currency, properties, ...named } = seen
  assert.deepEqual([value, currency, properties], [null, null, null])
  assert.deepEqual(named, {
    ...nothing,
    type: 'impression',
    deviceId: 'D',
    blockKey: 'hero',
    instanceId: 'i1',
    screen: 'home',
    occurredAt: null,
  })
  assert.deepEqual((await read(ws.admin, '/devices/D/events')).types, ['click', 'impression'])
  assert.deepEqual((await read(ws.admin, '/users/U/events?environment=test')).types, ['of_test'])
  assert.deepEqual((await read(ws.admin, '/devices/T/events?environment=test')).types, ['of_test'])
  for (const path of ['/users/nobody/events', '/devices/nobody/events', '/devices/T/events'])
    assert.equal((await ws.admin.get(path)).status, 404, path)
  expectStatus(await (await ws.viewer()).get('/users/U/events'), 200)
})

test('pages follow each other through events that arrived at one moment, and later ones do not disturb them', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const sent = Array.from({ length: 25 }, (_, i) => ({ type: `e${i}` }))
  await track(ws.app, 'D', sent.slice(0, 15))
  await advance(1)
  await track(ws.app, 'D', sent.slice(15))
  const wanted = (await read(ws.admin, '/users/U/events?limit=200')).types
  assert.deepEqual(wanted.toSorted(), sent.map(({ type }) => type).toSorted())
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: any = await read(ws.admin, `/users/U/events?limit=4${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.types)
    cursor = page.nextCursor
    if (seen.length === 8) await track(ws.app, 'D', [{ type: 'late' }])
  }
  assert.deepEqual(seen, wanted)
  for (const bad of ['x', '1-2', '1-2-3-4', '99999999999999-999999999-99999', '%00'])
    assert.equal((await ws.admin.get(`/users/U/events?cursor=${bad}`)).status, 400, bad)
})

test('what somebody did before they signed in is theirs, and what a device did stays with the device', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await track(ws.app, 'D', [{ type: 'anonymous' }])
  assert.deepEqual((await read(ws.admin, '/users/D/events')).types, ['anonymous'])
  await identify(ws.app, 'D', 'U')
  await advance(1)
  await track(ws.app, 'D', [{ type: 'signed_in' }])
  assert.deepEqual((await read(ws.admin, '/users/U/events')).types, ['signed_in', 'anonymous'])
  await identify(ws.app, 'D', 'V')
  await advance(1)
  await track(ws.app, 'D', [{ type: 'of_the_next' }])
  assert.deepEqual((await read(ws.admin, '/users/U/events')).types, ['signed_in', 'anonymous'])
  assert.deepEqual((await read(ws.admin, '/users/V/events')).types, ['of_the_next'])
  assert.deepEqual((await read(ws.admin, '/devices/D/events')).types, ['of_the_next', 'signed_in', 'anonymous'])
})

test('events of more than 30 days ago are not looked for', async () => {
  const ws = await workspaceOverTime(builders)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'old' }])
  await advance(20 * 86_400)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'new' }])
  assert.deepEqual((await read(await ws.signIn(), '/users/U/events')).types, ['new', 'old'])
  await advance(10 * 86_400 + 60)
  const late = await read(await ws.signIn(), '/users/U/events')
  assert.deepEqual([late.types, late.total], [['new'], 1])
})

test('a page of large events ends early, and the next goes on there', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  for (let i = 0; i < 12; i++) await track(ws.app, 'D', [{ type: `large ${i}`, properties: {} }])
  // As they could be before properties had bounds.
  const properties = JSON.stringify({ text: 'x'.repeat(900_000) })
  await ctx.db.updateTable('events').set({ properties }).where('workspace_id', '=', ws.id).execute()
  const types: string[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page: { types: string[]; nextCursor: string | null } = await read(
      ws.admin,
      `/users/U/events?limit=50${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    )
    types.push(...page.types)
    cursor = page.nextCursor
  }
  assert.deepEqual(
    types,
    Array.from({ length: 12 }, (_, i) => `large ${11 - i}`),
  )
  assert.equal(pages, 2)
})

test('events of a person are narrowed down to a type, and reach back 90 days where that is asked', async () => {
  const ws = await workspaceOverTime(builders)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'view' }, { type: 'buy' }])
  await advance(40 * 86_400)
  ws.admin = await ws.signIn()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'view' }])
  assert.deepEqual((await read(ws.admin, '/users/U/events')).types, ['view'])
  const from = encodeURIComponent(new Date(ctx.clock.ms() - 60 * 86_400_000).toISOString())
  assert.deepEqual((await read(ws.admin, `/users/U/events?from=${from}`)).types, ['view', 'buy', 'view'])
  const narrowed = await read(ws.admin, `/users/U/events?from=${from}&type=buy`)
  assert.deepEqual([narrowed.types, narrowed.total], [['buy'], 1])
  const page = await read(ws.admin, `/users/U/events?from=${from}&type=view&limit=1`)
  assert.deepEqual((await read(ws.admin, `/users/U/events?from=${from}&type=view&limit=1&cursor=${page.nextCursor}`)).types, ['view'])
  const refused = await ws.admin.get('/users/U/events?from=2020-01-01')
  assert.deepEqual([refused.status, refused.body.error], [400, 'from: at most 90 days ago'])
})
