/** Conditions behind a step that writes attributes: they see what is read back afterwards, by events or not, and in a test run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, makeJourney, runsOf, setStatus, startJourney, wait } from '../../../../test/builders/journeys.ts'
import { identify, personRow } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const started = await startApp()
const { ctx, advance, operator } = started

const EACH = { policy: 'every_event' }
const CART = { type: 'custom_event', event: 'cart_updated', key: 'cartId' }
const set = (id: string, values: object, expiresInDays?: number) => ({
  id,
  type: 'update_profile',
  set: values,
  ...(expiresInDays !== undefined && { expiresInDays }),
})
const when = (field: string, operator: string, value: unknown, more: object = {}) => ({
  id: 'if',
  type: 'condition',
  rule: { logicalOperator: 'AND', rules: [{ field, operator, ...(value !== undefined && { value }) }] },
  then: [{ id: 'yes', type: 'exit' }],
  else: [{ id: 'no', type: 'exit' }],
  ...more,
})
const isGold = (more: object = {}) => when('enrichment.tier', 'equals', 'gold', more)

async function shop(...users: string[]) {
  const ws = await workspaceOverTime(started)
  for (const id of users) await identify(ws.app, id, id)
  return ws
}
const load = async (ws: Workspace, source: string, userId: string, attributes: object) =>
  expectStatus(
    await ws.admin.post('/enrichment/upload', { source, sourceRef: `${source}/${userId}`, records: [{ userId, attributes }] }),
    201,
  )
async function heard() {
  await rollUp(operator)
  await journeys.check(operator)
}
/** Of everybody: at which exit they left. */
const leftAt = async (ws: Workspace, id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await runsOf(ws, id)).map(({ userId, step }) => [userId, step]))
const attributeOf = async (ws: Workspace, userId: string, name: string) =>
  ((await personRow(ctx, ws.id, userId))?.enrichment as Record<string, unknown> | undefined)?.[name]
/** Of everybody: which way a test run goes at the condition. */
async function tried(ws: Workspace, id: string, userIds: string[], more: object = {}) {
  const { timelines } = expectStatus(await ws.admin.post(`/journeys/${id}/test-run`, { userIds, ...more }), 200).data
  return Object.fromEntries(
    timelines.map(({ userId, moments }: any) => [
      userId,
      moments.findLast(({ step }: any) => step === 'if')?.did === 'then' ? 'yes' : 'no',
    ]),
  )
}

test('a condition right behind the step sees what the ranking of sources makes of it', async () => {
  const ws = await shop('new', 'file', 'crm', 'same')
  await load(ws, 'csv_upload', 'file', { tier: 'silver' })
  await load(ws, 'crm_webhook', 'crm', { tier: 'black' })
  await load(ws, 'manual_api', 'same', { tier: 'silver' })
  const { id } = await makeJourney(ws.admin, {
    steps: [isGold({ id: 'before', then: [], else: [] }), set('set', { tier: 'gold' }), isGold()],
  })
  const people = ['new', 'file', 'crm', 'same']
  const expected = { new: 'yes', file: 'yes', crm: 'no', same: 'yes' }
  assert.deepEqual(await tried(ws, id, people), expected)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await enroll(ws, id, people)
  await journeys.check(operator)
  assert.deepEqual(await leftAt(ws, id), expected)
  for (const userId of people) assert.equal(await attributeOf(ws, userId, 'tier'), userId === 'crm' ? 'black' : 'gold')
})

test('the ranking is the one of the workspace', async () => {
  const ws = await shop('U')
  await load(ws, 'csv_upload', 'U', { tier: 'silver' })
  expectStatus(await ws.admin.put('/enrichment/source-priorities', { priorities: { csv_upload: 200 } }), 200)
  const id = await startJourney(ws, { steps: [set('set', { tier: 'gold' }), isGold()] })
  await enroll(ws, id, ['U'])
  await journeys.check(operator)
  assert.deepEqual([await leftAt(ws, id), await attributeOf(ws, 'U', 'tier')], [{ U: 'no' }, 'silver'])
})

test('of values that stay for different times the one that was written last holds', async () => {
  const ws = await shop('U', 'V')
  const isSilver = when('enrichment.tier', 'equals', 'silver')
  const one = await startJourney(ws, { steps: [set('a', { tier: 'gold' }), set('b', { tier: 'silver' }, 30), isSilver] })
  const two = await startJourney(ws, { steps: [set('a', { tier: 'gold' }, 30), set('b', { tier: 'silver' }), isSilver] })
  await enroll(ws, one, ['U'])
  await enroll(ws, two, ['V'])
  await journeys.check(operator)
  assert.deepEqual([await leftAt(ws, one), await leftAt(ws, two)], [{ U: 'yes' }, { V: 'yes' }])
  assert.deepEqual([await attributeOf(ws, 'U', 'tier'), await attributeOf(ws, 'V', 'tier')], ['silver', 'silver'])
})

test('what has ended does not come back with what the journey writes next', async () => {
  const ws = await shop('U')
  const hasOffer = when('enrichment.offer', 'exists', undefined)
  const { id } = await makeJourney(ws.admin, {
    steps: [set('a', { offer: 'x' }, 1), { ...wait(2 * 1_440), id: 'w' }, set('b', { seen: true }, 1), hasOffer],
  })
  assert.deepEqual(await tried(ws, id, ['U'], { days: 7 }), { U: 'no' })
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await enroll(ws, id, ['U'])
  await journeys.check(operator)
  assert.equal(await attributeOf(ws, 'U', 'offer'), 'x')
  await advance(2 * 86_400)
  ws.admin = await ws.signIn()
  await journeys.check(operator)
  assert.deepEqual([await leftAt(ws, id), await attributeOf(ws, 'U', 'offer')], [{ U: 'no' }, undefined])
  assert.equal(await attributeOf(ws, 'U', 'seen'), true)
})

test('a journey that listens to events goes on behind the condition, and hears what came meanwhile in its order', async () => {
  const ws = await shop('U', 'V')
  await load(ws, 'crm_webhook', 'V', { tier: 'black' })
  const steps = [
    set('set', { tier: '{{event.tier}}' }),
    isGold({
      then: [{ id: 'paid', type: 'wait_for', event: 'paid', timeoutMinutes: 60, then: [{ id: 'yes', type: 'exit' }], else: [] }],
    }),
  ]
  const { id } = await makeJourney(ws.admin, { trigger: CART, entry: EACH, steps })
  const begin = { properties: { cartId: '1', tier: 'gold' } }
  assert.deepEqual(await tried(ws, id, ['U', 'V'], { begin }), { U: 'yes', V: 'no' })
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  for (const userId of ['U', 'V'])
    await track(ws.app, userId, [
      { type: 'cart_updated', ...begin },
      { type: 'paid', properties: { cartId: '1' } },
    ])
  await heard()
  assert.deepEqual(await leftAt(ws, id), { U: 'yes', V: 'no' })
  assert.deepEqual([await attributeOf(ws, 'U', 'tier'), await attributeOf(ws, 'V', 'tier')], ['gold', 'black'])
})

test('runs of one person see what each other wrote, and what is stored is what was written last', async () => {
  const ws = await shop('U')
  const id = await startJourney(ws, {
    trigger: CART,
    entry: EACH,
    steps: [set('a', { tier: '{{event.tier}}' }), isGold({ then: [set('b', { tier: 'spent' })], else: [] })],
  })
  const cart = (cartId: string, tier?: string) => ({ type: 'cart_updated', properties: { cartId, ...(tier !== undefined && { tier }) } })
  // The first spends it; the second says nothing of it; the third writes it again, before which the second was judged.
  await track(ws.app, 'U', [cart('1', 'gold'), cart('2'), cart('3', 'silver')])
  await heard()
  const { steps } = expectStatus(await ws.admin.get(`/journeys/${id}/report`), 200).data
  assert.deepEqual(
    steps.map(({ step, entered, skipped }: any) => [step, entered, skipped]),
    [
      ['a', 3, { no_values: 1 }],
      ['if', 3, undefined],
      ['b', 1, {}],
    ],
  )
  assert.equal(await attributeOf(ws, 'U', 'tier'), 'silver')
})
