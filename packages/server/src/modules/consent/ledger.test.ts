/** The consent ledger: whatever happened, in whatever order and at whatever moment, it says what is stored, and why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { forgottenDecisions } from '@contentflow/core/identity/consent/decisions.ts'
import { expectStatus, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { decisionsOf, findSubjectSalt, hashSubject, subjectOfPerson } from '../people/index.ts'

const { workspace, operator, ctx } = await startApp()

const onDevice = (device: string) => ({ headers: { 'x-cf-device': device } })

const devices = fc.constantFrom('D1', 'D2', 'D3')
const users = fc.constantFrom('U1', 'U2')
const flags = fc.dictionary(fc.constantFrom('push', 'sms', 'inApp'), fc.boolean(), { noNullPrototype: true, maxKeys: 2 })
const answers = fc.dictionary(fc.constantFrom('news', 'constructor'), fc.boolean(), { noNullPrototype: true })
const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('give' as const), device: devices, channels: flags }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('full' as const),
      device: devices,
      channels: flags,
      topics: answers,
      requiredConsents: answers,
      personalOptOut: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('identify' as const), device: devices, user: fc.option(users, { nil: undefined }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('suppress' as const, 'unsuppress' as const), user: users }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('optOut' as const), user: users, optedOut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('contact' as const), user: users, channels: flags }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('logout' as const, 'erase' as const), device: devices }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
/** Each group is sent at once; `lapse` lets every device record lapse afterwards. */
const history = fc.array(fc.record({ acts: fc.array(act, { minLength: 1, maxLength: 3 }), lapse: fc.boolean() }), {
  minLength: 3,
  maxLength: 10,
})

/** Every run has people of its own. */
async function send({ app, admin }: Workspace, run: number, one: Act): Promise<Answer> {
  const userId = 'user' in one && one.user !== undefined ? `${one.user}-${run}` : undefined
  const deviceId = 'device' in one ? `${one.device}-${run}` : ''
  switch (one.kind) {
    case 'give':
      return app.post('/consent', { deviceId, channels: one.channels })
    case 'full': {
      const { topics, requiredConsents, channels, personalOptOut } = one
      return app.post('/consent/full', { deviceId, channels, topics, requiredConsents, personalOptOut })
    }
    case 'identify':
      return app.post('/identify', { deviceId, userId, consent: true })
    case 'suppress':
    case 'unsuppress':
      return admin.post(`/users/bulk/${one.kind}`, { userIds: [userId] })
    case 'optOut':
      return admin.put(`/users/${userId}/opt-out`, { optedOut: one.optedOut })
    case 'contact':
      return admin.post('/users/bulk/contacts', { contacts: [{ userId, consent: one.channels }] })
    case 'logout':
      return app.post('/logout', { deviceId })
    case 'erase':
      return erase(app, deviceId)
    default:
      throw new Error(`no request is known for ${JSON.stringify(one)}`)
  }
}

type State = Map<string, Record<string, boolean>>

/** What is decided of every subject, in the ledger's words. */
async function stored({ id }: Workspace): Promise<State> {
  const salt = await findSubjectSalt(ctx.db, id)
  const profiles = await ctx.db.selectFrom('profiles').selectAll().where('workspace_id', '=', id).execute()
  const rows = await ctx.db.selectFrom('devices').selectAll().where('workspace_id', '=', id).execute()
  const state: State = new Map()
  const add = (subject: string, decided: ReturnType<typeof forgottenDecisions>) => {
    if (decided.length === 0) return
    assert.ok(!state.has(subject), 'the decisions of one subject stand in one place')
    state.set(subject, Object.fromEntries(decided.map(({ channel, oldValue }) => [channel, oldValue === true])))
  }
  for (const profile of profiles) add(subjectOfPerson(salt, profile), forgottenDecisions(decisionsOf(profile)))
  for (const device of rows) add(hashSubject(salt, 'device', device.device_id), forgottenDecisions(decisionsOf(device)))
  return state
}

/** The same from the ledger alone; each entry must begin where the one before ended. */
async function rebuilt({ id }: Workspace): Promise<State> {
  const entries = await ctx.db
    .selectFrom('consent_ledger')
    .selectAll()
    .where('workspace_id', '=', id)
    .where('channel', '<>', 'analytics')
    .orderBy('id')
    .execute()
  const state: State = new Map()
  for (const { subject, channel, old_value, new_value, source } of entries) {
    const values = state.get(subject) ?? {}
    const before = Object.hasOwn(values, channel) ? values[channel] : null
    assert.equal(old_value ?? false, before ?? false, `${source} of ${channel}`)
    if (channel !== 'personalOptOut') assert.equal(old_value, before, `${source} of ${channel}`)
    if (new_value === null || (channel === 'personalOptOut' && !new_value)) delete values[channel]
    else values[channel] = new_value
    state.set(subject, values)
  }
  return new Map([...state].filter(([, values]) => Object.keys(values).length > 0))
}

const sorted = (state: State) => [...state].sort(([one], [other]) => (one < other ? -1 : 1))

test('A-29 what is decided of every person and every device can be rebuilt from the ledger, also when calls come at once', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  let run = 0
  await fc.assert(
    fc.asyncProperty(history, async (groups) => {
      run++
      for (const { acts, lapse } of groups) {
        const told = await Promise.all(acts.map((one) => send(ws, run, one)))
        for (const [index, answer] of told.entries())
          assert.ok(answer.status < 500 && answer.status !== 401, `${acts[index]?.kind}: ${answer.text}`)
        // The clock would end the members' sessions as well.
        if (lapse)
          await ctx.db
            .updateTable('devices')
            .set({ expires_at: new Date(0) })
            .where('workspace_id', '=', ws.id)
            .execute()
      }
      assert.deepEqual(sorted(await rebuilt(ws)), sorted(await stored(ws)))
    }),
    { numRuns: 25 },
  )
})

test('A-29 parallel decisions of one person on several devices, a load and a suppression: none is lost', async () => {
  const ws = await workspace()
  for (const device of ['D1', 'D2', 'D3']) await identify(ws.app, device, 'U')
  const give = (device: string, channels: object) => ws.app.post('/consent', { channels }, onDevice(device))
  const told = await Promise.all([
    give('D1', { push: true }),
    give('D2', { sms: true }),
    give('D3', { inApp: true }),
    ws.admin.post('/users/bulk/suppress', { userIds: ['U'] }),
    give('D1', { email: false }),
    ws.admin.post('/users/bulk/contacts', { contacts: [{ userId: 'U', consent: { whatsapp: true } }] }),
  ])
  for (const answer of told) expectStatus(answer, 200)
  const { channels } = expectStatus(await ws.admin.get('/users/U'), 200).data
  assert.deepEqual(channels, { push: false, sms: false, whatsapp: false, email: false, marketing: false, inApp: true })
  expectStatus(await ws.admin.post('/users/bulk/unsuppress', { userIds: ['U'] }), 200)
  const restored = expectStatus(await ws.admin.get('/users/U'), 200).data.channels
  assert.deepEqual(restored, { push: true, sms: true, inApp: true, email: false, whatsapp: true })
})

test('members page through the ledger, newest first, of a user or of an anonymous device, in either environment', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  for (const push of [true, false, true]) expectStatus(await ws.app.post('/consent', { channels: { push } }, onDevice('D')), 200)
  const viewer = await ws.viewer()
  const seen: unknown[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    assert.ok(pages < 5)
    const { data, body }: Answer = expectStatus(await viewer.get(`/users/U/consents?limit=1${cursor && `&cursor=${cursor}`}`), 200)
    assert.equal(body.metadata.total, 4)
    for (const { channel, oldValue, newValue, source } of data.consents) seen.push([channel, oldValue, newValue, source])
    cursor = body.metadata.nextCursor
  }
  assert.deepEqual(seen, [
    ['push', false, true, 'consent'],
    ['push', true, false, 'consent'],
    ['push', null, true, 'consent'],
    ['analytics', null, true, 'identify'],
  ])
  await identify(ws.testApp, 'T')
  expectStatus(await ws.testApp.post('/consent', { channels: { sms: false } }, onDevice('T')), 200)
  assert.equal((await viewer.get('/users/T/consents')).status, 404)
  const { consents } = expectStatus(await viewer.get('/users/T/consents?environment=test'), 200).data
  assert.deepEqual([consents[0].channel, consents[0].newValue], ['sms', false])
  for (const path of ['/users/nobody/consents', '/users/__proto__/consents']) assert.equal((await viewer.get(path)).status, 404)
  for (const query of ['cursor=x', 'limit=0', 'environment=both', 'cursor=9999999999999999'])
    assert.equal((await viewer.get(`/users/U/consents?${query}`)).status, 400, query)
})

test('the ledger never names a person, and what was decided before signing in goes over to the user', async () => {
  const ws = await workspace()
  expectStatus(await ws.app.post('/consent', { channels: { push: true } }, onDevice('the-device')), 200)
  await identify(ws.app, 'the-device', 'the-user')
  const rows = await ctx.db.selectFrom('consent_ledger').selectAll().where('workspace_id', '=', ws.id).orderBy('id').execute()
  assert.doesNotMatch(JSON.stringify(rows), /the-user|the-device/)
  assert.deepEqual(
    rows.filter(({ channel }) => channel === 'push').map(({ source, old_value, new_value }) => [source, old_value, new_value]),
    [
      ['consent', null, true],
      ['merge', null, true],
      ['merge', true, null],
    ],
  )
})
