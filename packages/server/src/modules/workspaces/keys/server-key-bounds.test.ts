/** What write and read keys, like those of apps, may be bound to: an end and networks; where they were used; an overlap when one is replaced. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, request, type Answer, type Workspace } from '../../../../test/builders/builders.ts'
import { assertRefusal } from '../../../../test/harness/refusals.ts'
import { startApp, startOn } from '../../../../test/harness/start-app.ts'

const ENV = { CF_TRUST_PROXY: '1' }
const first = await startApp(ENV)
const { workspace, ctx, operator } = first
// The embedded database has no second process.
const second = process.env['TEST_DATABASE_URL'] ? await startOn(first.databaseEnv, ENV) : first
if (second !== first) after(() => second.stop())

/** Both processes have one clock. */
function advance(seconds: number): void {
  for (const each of new Set([first, second])) each.ctx.clock.advance(seconds)
}

const HOME = '203.0.113.9'
const told = ({ status, body }: Answer) => [status, body.code ?? body.error]

/** Each family: how a key of it is made and used, and what a wrong one is answered. */
const FAMILIES = [
  {
    path: '/settings/sdk-keys',
    body: { kind: 'secret', environment: 'live' },
    wrong: [401, 'INVALID_SDK_KEY'],
    ask: { method: 'GET', path: '/sdk/v1/sync', header: 'x-cf-key', right: 200 },
  },
  {
    path: '/settings/write-keys',
    body: {},
    wrong: [401, 'invalid write key'],
    ask: { method: 'GET', path: '/api/v1/strings/sync', header: 'x-cf-write-key', right: 200 },
  },
  {
    path: '/settings/read-keys',
    body: {},
    wrong: [401, 'invalid read key'],
    ask: { method: 'GET', path: '/api/v1/read/users/nobody/segments', header: 'x-cf-read-key', right: 404 },
  },
] as const
type Family = (typeof FAMILIES)[number]

const make = async (ws: Workspace, { path, body }: Family, more: object = {}) =>
  expectStatus(await ws.admin.post(path, { ...body, ...more }), 201).data
const use = async ({ ask }: Family, key: string, from = HOME, { url } = first) =>
  request(ask.method, url + ask.path, { headers: { [ask.header]: key, 'x-forwarded-for': from } })
const saveUses = async () => expectStatus(await operator.post('/test-hooks/jobs', { job: 'key-uses' }), 200)
const listed = async (ws: Workspace, { path }: Family, id: string) =>
  expectStatus(await ws.admin.get(path), 200).data.keys.find((key: any) => key.id === id)

for (const family of FAMILIES) {
  const { path, ask, wrong } = family
  const isIn = async (key: string, from?: string, at?: typeof first) => assert.equal((await use(family, key, from, at)).status, ask.right)

  test(`${path}: a key with an end opens nothing from then on, on any process`, async () => {
    const ws = await workspace()
    const expiresAt = new Date(ctx.clock.ms() + 3_600_000).toISOString()
    const { key, expiresAt: shown } = await make(ws, family, { expiresAt })
    assert.equal(shown, expiresAt)
    for (const at of [first, second]) await isIn(key, HOME, at)
    advance(3_601)
    for (const at of [first, second]) assert.deepEqual(told(await use(family, key, HOME, at)), wrong)
  })

  test(`${path}: a key for some networks is refused in others, and says from where it was used`, async () => {
    const ws = await workspace()
    const { id, key, allowedCidrs, lastUsedFrom } = await make(ws, family, {
      allowedCidrs: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
    })
    assert.deepEqual([allowedCidrs, lastUsedFrom], [['203.0.113.0/24', '2001:db8::/32', '198.51.100.7/32'], null])
    for (let times = 0; times < 3; times++) {
      for (const from of ['203.0.114.9', '198.51.100.8', '2001:db9::1'])
        assert.deepEqual(told(await use(family, key, from)), [403, 'KEY_NOT_ALLOWED_HERE'], from)
      for (const from of ['2001:db8::5', '198.51.100.7', '::ffff:203.0.113.9']) await isIn(key, from)
    }
    const entries: any[] = expectStatus(await ws.admin.get('/audit?limit=100'), 200).data.entries
    const refused = entries.filter((entry) => entry.reason === 'KEY_NOT_ALLOWED_HERE')
    // Keys of apps stand in pages that everybody may open: what is tried with those is in no audit log.
    const isLogged = path !== '/settings/sdk-keys'
    assert.deepEqual(
      refused.map(({ outcome, actor }) => [outcome, actor.id]),
      isLogged ? [['refused', id]] : [],
      'once an hour, however often it is tried',
    )
    await saveUses()
    assert.equal((await listed(ws, family, id)).lastUsedFrom, '2001:db8::5', 'the first use of that minute, and none that was refused')
    advance(600)
    await isIn(key, HOME)
    await saveUses()
    assert.equal((await listed(ws, family, id)).lastUsedFrom, HOME)
  })

  test(`${path}: the old text goes on for as long as a rotation says, and ends with the next one`, async () => {
    const ws = await workspace()
    const { id, key } = await make(ws, family)
    const rotate = async (body?: object) => expectStatus(await ws.admin.post(`${path}/${id}/rotate`, body), 200).data
    const next = await rotate({ overlapHours: 2 })
    assert.equal(Date.parse(next.previousUntil), Date.parse(next.rotatedAt) + 2 * 3_600_000)
    for (const at of [first, second]) for (const each of [key, next.key]) await isIn(each, HOME, at)
    advance(2 * 3_600 + 1)
    for (const at of [first, second]) {
      assert.deepEqual(told(await use(family, key, HOME, at)), wrong)
      await isIn(next.key, HOME, at)
    }
    const third = await rotate({ overlapHours: 168 })
    const last = await rotate()
    assert.equal(last.previousUntil, null)
    for (const old of [next.key, third.key]) assert.deepEqual(told(await use(family, old)), wrong)
    await isIn(last.key)
    const ended = await rotate({ overlapHours: 5 })
    expectStatus(await ws.admin.delete(`${path}/${id}`), 200)
    for (const old of [last.key, ended.key]) assert.deepEqual(told(await use(family, old)), wrong)
  })

  test(`${path}: a rotation gives another end, or none; bounds that are none are refused`, async () => {
    const ws = await workspace()
    const at = (hours: number) => new Date(ctx.clock.ms() + hours * 3_600_000).toISOString()
    const [soon, later] = [at(1), at(48)]
    const { id, createdBy } = await make(ws, family, { expiresAt: soon })
    assert.equal(createdBy, expectStatus(await ws.admin.get('/auth/me'), 200).data.user.userId)
    const rotate = async (body: object) => ws.admin.post(`${path}/${id}/rotate`, body)
    const kept = expectStatus(await rotate({ overlapHours: 24 }), 200).data
    assert.deepEqual([kept.expiresAt, kept.previousUntil], [soon, soon], 'the old text ends with its key')
    assert.equal(expectStatus(await rotate({ expiresAt: later }), 200).data.expiresAt, later)
    assert.equal(expectStatus(await rotate({ expiresAt: null }), 200).data.expiresAt, null)
    for (const bad of [{ overlapHours: 169 }, { overlapHours: -1 }, { overlapHours: 0.5 }, { expiresAt: '2020-01-01' }, { expiresAt: 'x' }])
      assertRefusal(await rotate(bad), 400, JSON.stringify(bad))
    assertRefusal(await ws.admin.post(`${path}/nobody/rotate`, { overlapHours: 'x' }), 404)
    for (const bad of [
      { expiresAt: '2020-01-01T00:00:00Z' },
      { allowedCidrs: [] },
      { allowedCidrs: ['203.0.113.0/33'] },
      { allowedCidrs: ['home'] },
      { allowedCidrs: Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`) },
    ])
      assertRefusal(await ws.admin.post(path, { ...family.body, ...bad }), 400, JSON.stringify(bad))
  })
}
