/** Experiments as they are stored: who counts, in which run, what is read when, and what stays when people go. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { publishVariants, variantOf, variantsOf, visit } from '../../../test/builders/experiments.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp()
const { workspace, operator, ctx, advance } = app
const DAY = 86_400

const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/experiments/${id}`), 200).data
const change = async (ws: Workspace, id: string, body: object, query = '') => ws.admin.put(`/experiments/${id}${query}`, body)

test('an item with variants is an experiment from its first impression on: each device counts once, for its variant', async () => {
  const ws = await workspace()
  const id = await publishVariants(ws, [1, 1])
  const experiment = `instance:${id}`
  const planned = await read(ws, experiment)
  assert.deepEqual([planned.state, planned.name, planned.units, planned.groups], ['planned', 'Hero', 0, []])
  assert.deepEqual(expectStatus(await ws.admin.get('/experiments'), 200).data.experiments, [])
  const impression = { type: 'impression', instanceId: id }
  const click = { type: 'click', instanceId: id }
  const wanted = new Map([
    ['a', [0, 0]],
    ['b', [0, 0]],
  ])
  const clickers = new Set<string>()
  await visit(ws, [0, 160], (device) => {
    const variant = variantOf(device, id)
    const [units = 0, did = 0] = wanted.get(variant) ?? []
    const clicks = variant === 'a' ? units % 6 > 0 : units % 6 === 0
    wanted.set(variant, [units + 1, did + (clicks ? 1 : 0)])
    if (clicks) clickers.add(device)
    // Who clicks twice is one; a click that names something else is none.
    return [impression, ...(clicks ? [click, click] : [{ type: 'click', instanceId: 'other' }])]
  })
  // Test apps are people who try it out, and who only clicks was not exposed.
  await identify(ws.testApp, 'T')
  await track(ws.testApp, 'T', [impression, click])
  await identify(ws.app, 'late')
  await track(ws.app, 'late', [click])
  await rollUp(operator)
  // Seen again is one device still; it is one of those that clicked from its first click on.
  await track(ws.app, 'D0', [impression, click])
  const [units = 0, did = 0] = wanted.get(variantOf('D0', id)) ?? []
  if (!clickers.has('D0')) wanted.set(variantOf('D0', id), [units, did + 1])
  await rollUp(operator)
  const found = await read(ws, experiment)
  assert.equal(found.state, 'running')
  assert.deepEqual(new Map(found.groups.map((group: any) => [group.variantId, [group.units, group.did]])), wanted)
  assert.deepEqual([found.verdict.kind, found.verdict.best, found.verdict.by], ['clear', 'a', 'any_time'])
  assert.match(found.because, /^a is better than b/)
  assert.equal(found.series.length, 1)
  assert.deepEqual([found.series[0].units, found.series[0].low], [160, found.verdict.low])
  const [listed] = expectStatus(await ws.admin.get('/experiments?state=running'), 200).data.experiments
  assert.deepEqual([listed.id, listed.units, listed.verdict.kind], [experiment, 160, 'clear'])
  assert.equal((await (await workspace()).admin.get(`/experiments/${experiment}`)).status, 404)

  // Other weights begin a new run, with nothing of the old one in it; the same weights again do not.
  const body = { variants: variantsOf(3, 1) }
  expectStatus(await ws.admin.put(`/blocks/hero/instances/${id}`, body), 200)
  await visit(ws, [0, 12], () => [impression])
  await rollUp(operator)
  const second = await read(ws, experiment)
  assert.deepEqual([second.run, second.units, second.verdict.kind], [2, 12, 'too_few'])
  expectStatus(await ws.admin.put(`/blocks/hero/instances/${id}`, { values: { '#title': 'other words' } }), 200)
  await visit(ws, [12, 14], () => [impression])
  await rollUp(operator)
  assert.deepEqual([(await read(ws, experiment)).run, (await read(ws, experiment)).units], [2, 14])

  // Decided: nothing more is counted.
  const decide = (decision: object) => ws.admin.post(`/experiments/${experiment}/decide`, decision)
  expectStatus(await decide({ variant: 'c' }), 400)
  expectStatus(await decide({}), 400)
  expectStatus(await (await ws.viewer()).post(`/experiments/${experiment}/decide`, { variant: 'a' }), 403)
  const decided = expectStatus(await decide({ variant: 'a', note: 'clearer' }), 200).data
  assert.deepEqual([decided.state, decided.decision.variant, decided.decision.note], ['decided', 'a', 'clearer'])
  await visit(ws, [14, 16], () => [impression])
  await rollUp(operator)
  assert.equal((await read(ws, experiment)).units, 14)
})

test('what an experiment looks at is chosen before anybody saw it, or for a new run', async () => {
  const ws = await workspace()
  const id = await publishVariants(ws, [1, 1])
  const experiment = `instance:${id}`
  const spent = { event: 'order_completed', of: 'value', days: 2, namesIt: false }
  const left = { metric: { event: 'unsubscribe', of: 'people', days: 2, namesIt: false }, mustNot: 'rise', margin: 0.05 }
  for (const [body, path] of [
    [{ metric: { ...spent, days: 31 } }, /metric.days/],
    [{ metric: { ...spent, of: 'median' } }, /metric.of/],
    [{ metric: { event: 'x' } }, /metric/],
    [{ guardrails: [{ ...left, margin: -1 }] }, /guardrails/],
    [{ guardrails: Array.from({ length: 6 }, () => left) }, /guardrails/],
    [{ plan: { baseline: 0.9, relativeEffect: 1 } }, /plan.relativeEffect/],
    [{ plan: { baseline: 0, relativeEffect: 1 } }, /plan.baseline/],
    [{ name: '' }, /name/],
    [{ __proto__: null, constructor: 1 }, /additional properties/],
  ] as const)
    assert.match(expectStatus(await change(ws, experiment, body), 400).body.error, path)
  for (const unknown of ['instance:no-such', 'campaign:no-such', 'no-such', 'instance:', '__proto__', 'instance:constructor']) {
    assert.equal((await ws.admin.get(`/experiments/${unknown}`)).status, 404, unknown)
    assert.equal((await change(ws, unknown, {})).status, 404, unknown)
  }
  expectStatus(await (await ws.viewer()).put(`/experiments/${experiment}`, { name: 'x' }), 403)
  const chosen = { name: 'Titles', hypothesis: 'Shorter sells', metric: spent, guardrails: [left] }
  const saved = expectStatus(await change(ws, experiment, chosen), 200).data
  assert.deepEqual([saved.state, saved.name, saved.metric, saved.guardrails[0].state], ['planned', 'Titles', spent, 'unclear'])
  expectStatus(await ws.admin.post(`/experiments/${experiment}/decide`, { variant: null }), 409)

  const impression = { type: 'impression', instanceId: id }
  let [sum, squares] = [0, 0]
  // So many that each variant has the hundred that a guardrail needs, whatever chance does.
  await visit(ws, [0, 280], (device, n) => {
    const isA = variantOf(device, id) === 'a'
    if (isA && n % 2 === 0) [sum, squares] = [sum + 30, squares + 900]
    const order = { type: 'order_completed', value: isA ? 10 : 1 }
    return [
      impression,
      ...(n % 2 === 0 ? [order, { ...order, value: isA ? 20 : 1 }] : []),
      ...(isA && n % 5 > 0 ? [{ type: 'unsubscribe' }] : []),
    ]
  })
  await rollUp(operator)
  const found = await read(ws, experiment)
  const a = found.groups.find((group: any) => group.variantId === 'a')
  assert.ok(Math.abs(a.mean - sum / a.units) < 1e-9, `${a.mean}`)
  const variance = (squares - (sum * sum) / a.units) / (a.units - 1)
  assert.ok(Math.abs((a.high - a.mean) / 1.959963984540054 - Math.sqrt(variance / a.units)) < 1e-9)
  assert.deepEqual([found.verdict.best, found.guardrails[0].state, found.harmed], ['a', 'harmed', ['unsubscribe']])
  assert.match(found.because, /^What leads harms unsubscribe\./)

  expectStatus(await change(ws, experiment, { ...chosen, name: 'New name' }), 200)
  for (const body of [{ metric: { ...spent, days: 3 } }, { guardrails: [] }, { plan: { baseline: 0.1, relativeEffect: 0.1 } }])
    assert.equal(expectStatus(await change(ws, experiment, body), 409).body.code, 'EXPERIMENT_STARTED')
  const again = expectStatus(await change(ws, experiment, { guardrails: [] }, '?restart=true'), 200).data
  assert.deepEqual([again.run, again.units, again.guardrails, again.name], [2, 0, [], 'New name'])
})

test('the planned reading is taken once, when the size is reached and the days of the outcome have passed', async () => {
  const ws = await workspaceOverTime(app)
  const id = await publishVariants(ws, [1, 1])
  const experiment = `instance:${id}`
  const plan = { baseline: 0.4, relativeEffect: 1 }
  const metric = { event: 'click', of: 'people', days: 2, namesIt: true }
  const { total } = expectStatus(await change(ws, experiment, { plan, metric }), 200).data.plan
  assert.ok(total < 100, String(total))
  const impression = { type: 'impression', instanceId: id }
  const act = (to: number) => (device: string, n: number) => [
    impression,
    ...((variantOf(device, id) === 'a' ? n % 4 > 0 : n % 3 === 0) && n < to ? [{ type: 'click', instanceId: id }] : []),
  ]
  await visit(ws, [0, total - 1], act(total))
  await rollUp(operator)
  const before = await read(ws, experiment)
  assert.deepEqual([before.missing, before.fullAt, before.reading], [1, null, null])
  await visit(ws, [total - 1, total], act(total))
  await rollUp(operator)
  await advance(3_700)
  const admin = async () => ({ ...ws, admin: await ws.signIn() })
  await rollUp(operator)
  const full = await read(await admin(), experiment)
  assert.ok(full.fullAt !== null && full.reading === null && full.missing === 0)
  await advance(2 * DAY)
  await rollUp(operator)
  const read1 = await read(await admin(), experiment)
  assert.ok(read1.reading)
  // Clicks later than two days after the exposure do not count for this metric, and the reading is not taken again.
  const { groups } = read1
  await identify(ws.app, 'D1')
  await track(ws.app, 'D1', [{ type: 'click', instanceId: id }])
  await visit(ws, [total, total + 5], act(0))
  await advance(3 * DAY)
  await rollUp(operator)
  const later = await read(await admin(), experiment)
  assert.deepEqual(later.reading, read1.reading)
  assert.deepEqual(
    later.groups.map((group: any) => group.did),
    groups.map((group: any) => group.did),
  )
})

test('C-ERASE-07 units go with whoever is erased and with their days; what they added up to stays', async () => {
  const ws = await workspaceOverTime(app)
  const id = await publishVariants(ws, [1, 1])
  const noted = async () =>
    (await ctx.db.selectFrom('experiment_units').select('device_id').where('workspace_id', '=', ws.id).orderBy('device_id').execute()).map(
      ({ device_id }) => device_id,
    )
  await visit(ws, [0, 2], () => [{ type: 'impression', instanceId: id }])
  await rollUp(operator)
  assert.deepEqual(await noted(), ['D0', 'D1'])
  await erase(ws.app, 'D0')
  assert.deepEqual(await noted(), ['D1'])
  assert.equal((await read(ws, `instance:${id}`)).units, 2)
  await advance(402 * DAY)
  await rollUp(operator)
  assert.deepEqual(await noted(), [])
  assert.equal((await read({ ...ws, admin: await ws.signIn() }, `instance:${id}`)).units, 2)
})

test('a campaign with variants is one too, by the weights of each language', async () => {
  const ws = await workspace()
  const variants = ['short', 'long'].map((id, index) => ({ id, weight: index + 1, values: { title: id } }))
  const { id } = await launch(ws, await ws.editor(), { name: 'Two', content: { en: { title: 'x', variants }, ar: { title: 'س' } } })
  const wanted = new Map<string, number>()
  for (let n = 0; n < 40; n++) {
    const headers = { 'x-cf-key': ws.live, 'x-cf-device': `C${n}`, 'accept-language': n % 4 === 0 ? 'ar' : 'en' }
    expectStatus(await ws.sdk(headers).post('/identify', { consent: true }), 200)
    const { data } = expectStatus(await ws.sdk(headers).post('/campaigns', {}), 200)
    const variant = data[0].variantId
    if (variant) wanted.set(variant, (wanted.get(variant) ?? 0) + 1)
    await track(ws.app, `C${n}`, [{ type: 'impression', campaignId: id }])
  }
  await rollUp(operator)
  const found = await read(ws, `campaign:${id}`)
  assert.deepEqual(new Map(found.groups.map((group: any) => [group.variantId, group.units])), wanted)
  assert.deepEqual(new Set(found.languages.map(({ locale }: any) => locale)), new Set(['en']))
  assert.equal(found.name, 'Two')
})
