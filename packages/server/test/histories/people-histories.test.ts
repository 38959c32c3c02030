/**
 * Random histories of devices and people against a small model: after every call the answer, every device and every
 * person are as the model says. The seed of a failing history is in its error; `fc.assert(..., {seed, path})` repeats it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../harness/assert-property.ts'
import { expectStatus, type Answer, type Client, type Workspace } from '../builders/builders.ts'
import { erase, titlesFor } from '../builders/people.ts'
import { PeopleModel, type Act, type Environment } from './people-model.ts'
import { startApp } from '../harness/start-app.ts'

const { ctx, workspace, operator, advance } = await startApp()

const DEVICES = ['D1', 'D2', 'D3']
const USERS = ['U1', 'U2']

const on = fc.constantFrom<Environment>('live', 'live', 'live', 'test')
const device = fc.constantFrom(...DEVICES)
const user = fc.constantFrom(...USERS)
const traits = fc.oneof(
  fc.record({ plan: fc.constantFrom('gold', 'silver') }),
  fc.record({ plan: fc.constant('gold'), n: fc.nat(9) }),
  fc.constantFrom(undefined, {}, null, 'x', [1], { 'a.b': 1 }),
)
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      { kind: fc.constant('identify' as const), on, device, user, consent: fc.boolean(), traits, name: fc.constantFrom('A', 'B') },
      { requiredKeys: ['kind', 'on', 'device', 'consent'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('logout' as const, 'track' as const), on, device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), on, device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('profile' as const), on, device, user, value: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('advance' as const), hours: fc.constantFrom(12, 25) }) },
)
const history = fc.array(act, { minLength: 10, maxLength: 30 })

/** Ids of one history: every history has its own people in the same workspace. */
type Run = { ws: Workspace; idOf(name: string): string }
let runs = 0
const runIn = (ws: Workspace, number = ++runs): Run => ({ ws, idOf: (name) => `${name}-${number}` })

async function send({ ws, idOf }: Run, act: Act): Promise<Answer | undefined> {
  if (act.kind === 'advance') {
    await advance(act.hours * 3600)
    return undefined
  }
  const client: Client = act.on === 'live' ? ws.app : ws.testApp
  const deviceId = idOf(act.device)
  if (act.kind === 'erase') return erase(client, deviceId)
  if (act.kind === 'logout') return client.post('/logout', { deviceId })
  if (act.kind === 'track') return client.post('/track-event', { deviceId, type: 'sign_in' })
  const userId = act.user === undefined ? undefined : idOf(act.user)
  if (act.kind === 'profile') return client.post('/profile', { deviceId, userId, category: 'retail', data: { value: act.value } })
  const { consent, name } = act
  return client.post('/identify', { deviceId, userId, consent, name, traits: act.traits })
}

/** Devices and people of one history as they are stored, in the model's words; without `environment`, of both. */
async function stored({ ws, idOf }: Run, environment?: Environment) {
  const suffix = idOf('')
  const plain = (id: string) => id.slice(0, -suffix.length)
  const people = await ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', ws.id)
    .where(({ or, eb }) => or([eb('user_id', 'like', `%${suffix}`), eb('device_id', 'like', `%${suffix}`)]))
    .execute()
  const names = new Map(
    people.map((row) => [
      row.id,
      `${row.environment} ${row.user_id === null ? `device:${plain(row.device_id ?? '')}` : `user:${plain(row.user_id)}`}`,
    ]),
  )
  const devices = await ctx.db
    .selectFrom('devices')
    .selectAll()
    .where('workspace_id', '=', ws.id)
    .where('device_id', 'like', `%${suffix}`)
    .execute()
  const members = await ctx.db
    .selectFrom('segment_members')
    .select('profile_id')
    .where('workspace_id', '=', ws.id)
    .where('is_member', '=', true)
    .execute()
  const gold = new Set(members.map((row) => row.profile_id))
  const isAsked = (row: { environment: string }) => environment === undefined || row.environment === environment
  return {
    devices: devices
      .filter(isAsked)
      .map(({ device_id, environment: of, consent, profile_id, traits: has }) => ({
        id: plain(device_id),
        environment: of,
        consent,
        person: profile_id === null ? null : names.get(profile_id),
        traits: has,
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
    people: people
      .filter(isAsked)
      .map((row) => ({
        id: names.get(row.id) ?? '',
        name: row.name,
        traits: row.traits,
        analytics: row.analytics,
        industry: row.industry,
        isGold: gold.has(row.id),
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  }
}

function expected({ devices, people }: PeopleModel) {
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  return {
    devices: [...devices]
      .map(([id, { environment, consent, person, traits: has }]) => ({ id, environment, consent, person, traits: has }))
      .sort(byId),
    people: [...people].map(([id, person]) => ({ id, ...person, isGold: person.traits['plan'] === 'gold' })).sort(byId),
  }
}

/** A workspace with content for everybody and content for `plan: gold`, without a rate. */
async function shop(): Promise<Workspace> {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  await ws.block('promo')
  for (const seg of [null, 'Gold']) await ws.instance('promo', { seg, values: { '#title': seg ?? 'all' } })
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  return ws
}

test('C-DEV-02 C-DEV-08 C-DEV-11 C-DEV-12 C-DEV-24..C-DEV-28 C-IDN-16 C-ERASE-09 X-INT-21 X-INT-23 every history ends as the documents say', async () => {
  const ws = await shop()
  await assertProperty(
    [history],
    async (acts) => {
      const [run, model] = [runIn(ws), new PeopleModel()]
      for (const step of acts) {
        const answer = await send(run, step)
        const { status, code } = model.apply(step)
        const told = JSON.stringify(step)
        if (answer) assert.deepEqual([answer.status, answer.body.code], [status, code], told)
        assert.deepEqual(await stored(run), expected(model), told)
        if (step.kind === 'advance') continue
        const titles = await titlesFor(ws, run.idOf(step.device), step.on === 'live' ? ws.live : ws.test)
        const isGold = model.isGold(step.on, step.device)
        if (isGold !== undefined) assert.deepEqual(titles, isGold ? ['Gold', 'all'] : ['all'], told)
      }
    },
    { numRuns: 25, interruptAfterTimeLimit: 10_000 },
  )
})

test('X-INT-46 C-SBX-02 test traffic, and another workspace with the same ids, change nothing of a live history', async () => {
  const [alone, busy, stranger] = [await shop(), await shop(), await shop()]
  const live = history.map((acts) => acts.filter((one) => one.kind !== 'advance').map((one): Act => ({ ...one, on: 'live' })))
  await assertProperty(
    [live, history],
    async (acts, noise) => {
      const number = ++runs
      const [quiet, loud, other] = [alone, busy, stranger].map((ws) => runIn(ws, number)) as [Run, Run, Run]
      const [answers, noisy] = [[] as unknown[], [] as unknown[]]
      for (const [index, step] of acts.entries()) {
        const disturbance = noise[index % noise.length]
        if (disturbance && disturbance.kind !== 'advance') {
          // Test devices are others: a device belongs to one environment.
          await send(loud, { ...disturbance, on: 'test', device: `T${disturbance.device}` })
          await send(other, disturbance)
        }
        for (const [run, told] of [
          [quiet, answers],
          [loud, noisy],
        ] as const) {
          const answer = await send(run, step)
          told.push([answer?.status, answer?.body.code, answer?.data?.results])
        }
      }
      assert.deepEqual(noisy, answers)
      assert.deepEqual(await stored(loud, 'live'), await stored(quiet, 'live'))
    },
    { numRuns: 6, interruptAfterTimeLimit: 5_000 },
  )
})
