/** Experiments on conditions, beside the past of people, against every arm; what webhooks are told of them, and a choice that becomes a draft. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adjustedMeans } from '@contentflow/core/experiments/cuped.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { publishVariants, storeExperiment, variantOf, visit } from '../../../test/builders/experiments.ts'
import { identify } from '../../../test/builders/people.ts'
import { openReceiver } from '../../../test/builders/receivers.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { workspace, operator, ctx, advance } = app
const DAY = 86_400
const EVENTS = ['experiment.reading_taken', 'experiment.sample_ratio_mismatch', 'experiment.guardrail_harmed']

const read = async (ws: Pick<Workspace, 'admin'>, id: string) => expectStatus(await ws.admin.get(`/experiments/${id}`), 200).data
const lookAgain = async (ws: Workspace) => {
  await ctx.db.updateTable('experiments').set({ due_at: ctx.clock.now() }).where('workspace_id', '=', ws.id).execute()
  await rollUp(operator)
}
const guardrail = (mustNot: 'fall' | 'rise', margin: number) => ({
  metric: { event: 'unsubscribe', of: 'people' as const, days: 7, namesIt: false },
  mustNot,
  margin,
})
const countsOf = (rates: { [variantId: string]: [units: number, did: number, guarded: number] }) =>
  Object.entries(rates).map(([variantId, [units, did, guarded]]) => ({ variantId, day: '2026-01-05', units, did, guarded }))

test('webhooks are told of a reading, a wrong ratio and harm, each once in a run, also when somebody looks again', async () => {
  const ws = await workspaceOverTime(app)
  const receiver = await openReceiver()
  after(() => receiver.close())
  expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: EVENTS }), 201)
  await storeExperiment(ctx, ws.id, { id: 'campaign:wrong', name: 'Wrong', counted: countsOf({ a: [400, 40, 0], b: [300, 30, 0] }) })
  const guardrails = [guardrail('rise', 0.01), guardrail('fall', 0.01)]
  const harm = countsOf({ a: [500, 200, 200], b: [500, 100, 20] })
  await storeExperiment(ctx, ws.id, { id: 'campaign:harm', name: 'Harm', counted: harm, guardrails })
  const plan = { baseline: 0.1, relativeEffect: 1, perVariant: 450, total: 900 }
  const planned = countsOf({ a: [500, 100, 0], b: [500, 50, 0] })
  await storeExperiment(ctx, ws.id, { id: 'campaign:planned', name: 'Planned', counted: planned, plan })
  await lookAgain(ws)
  await receiver.waitFor(2)
  await lookAgain(ws)
  await advance(8 * DAY)
  await rollUp(operator)
  await receiver.waitFor(3)
  await lookAgain(ws)
  // A further one would come before the ping that is sent behind it.
  const admin = await ws.signIn()
  const [hook] = expectStatus(await admin.get('/webhooks'), 200).data.webhooks
  expectStatus(await admin.post(`/webhooks/${hook.id}/ping`, {}), 202)
  const told = (await receiver.waitFor(4)).map(({ event }) => event)
  const about = (id: string, name: string) => ({ experimentId: `campaign:${id}`, name, subject: 'campaign', subjectId: id, run: 1 })
  const dataOf = (event: string) => {
    const { actor, ...data } = told.find((each) => each.event === event)?.data ?? {}
    assert.deepEqual(actor, { userId: 'system' }, event)
    return data
  }
  assert.deepEqual(told.map(({ event }) => event).toSorted(), [...EVENTS, 'webhook.ping'].toSorted())
  const { p, ...wrong } = dataOf('experiment.sample_ratio_mismatch')
  assert.deepEqual(wrong, about('wrong', 'Wrong'))
  assert.ok(p < 0.001)
  assert.deepEqual(dataOf('experiment.guardrail_harmed'), {
    ...about('harm', 'Harm'),
    event: 'unsubscribe',
    mustNot: 'rise',
    variant: 'a',
    than: 'b',
  })
  assert.deepEqual(dataOf('experiment.reading_taken'), { ...about('planned', 'Planned'), isClear: true, best: 'a', than: 'b' })
})

test('a guardrail is judged beside every other variant, not only the next one', async () => {
  const ws = await workspace()
  const counted = countsOf({ a: [2_000, 700, 200], b: [2_000, 420, 200], c: [2_000, 400, 600] })
  const guardrails = [guardrail('fall', 0.05)]
  await storeExperiment(ctx, ws.id, { id: 'campaign:three', name: 'Three', counted, variants: ['a', 'b', 'c'], guardrails })
  const found = await read(ws, 'campaign:three')
  const [{ state, than, against }] = found.guardrails
  assert.deepEqual([found.verdict.kind, found.verdict.best, found.verdict.than], ['clear', 'a', 'b'])
  assert.deepEqual([state, than], ['harmed', 'c'])
  assert.deepEqual(
    against.map((each: any) => [each.variantId, each.state]),
    [
      ['b', 'safe'],
      ['c', 'harmed'],
    ],
  )
  assert.match(found.because, /^What leads harms unsubscribe\. a is better than b/)
})

test('a metric with conditions counts only the events that meet them; what cannot be one is refused with its place', async () => {
  const ws = await workspace()
  const id = `instance:${await publishVariants(ws, [1, 1])}`
  const pro = { field: 'properties.plan', operator: 'equals', value: 'pro' }
  const where = { logicalOperator: 'AND', conditions: [pro, { field: 'value', operator: 'greater_than', value: 5 }] }
  const metric = { event: 'order', where, of: 'count', days: 2, namesIt: false }
  const put = (body: object, query = '') => ws.admin.put(`/experiments/${id}${query}`, body)
  const narrowed = (condition: object) => ({ ...metric, where: { logicalOperator: 'AND', conditions: [condition] } })
  for (const [body, place] of [
    [{ metric: { ...metric, where: {} } }, /^metric\.where\.logicalOperator/],
    [{ metric: narrowed({ ...pro, operator: 'like' }) }, /^metric\.where\.conditions\[0\]\.operator/],
    [{ metric: narrowed({ ...pro, field: 'foo.bar' }) }, /^metric\.where\.conditions\[0\]\.field/],
    [{ metric: narrowed({ ...pro, operator: 'regex', value: '(?=a)' }) }, /^metric\.where\.conditions\[0\]/],
    [{ guardrails: [{ ...guardrail('fall', 0), metric: narrowed({}) }] }, /^guardrails\[0\]\.metric\.where\.conditions\[0\]/],
  ] as const)
    assert.match(expectStatus(await put(body), 400).body.error, place)
  const odd = narrowed({ field: 'properties.__proto__.constructor', operator: 'exists' })
  const saved = expectStatus(await put({ metric, guardrails: [{ ...guardrail('fall', 0), metric: odd }] }), 200).data
  assert.deepEqual([saved.metric, saved.guardrails[0].metric], [metric, odd])
  const order = (plan: string, value: number) => ({ type: 'order', value, properties: { plan } })
  const subjectId = id.slice('instance:'.length)
  const impression = { type: 'impression', instanceId: subjectId }
  const wanted = new Map<string, number[]>()
  await visit(ws, [0, 24], (device, n) => {
    const [units = 0, did = 0, sum = 0] = wanted.get(variantOf(device, subjectId)) ?? []
    const times = n % 3
    wanted.set(variantOf(device, subjectId), [units + 1, did + (times > 0 ? 1 : 0), sum + times])
    return [impression, order('basic', 10), order('pro', 1), ...Array.from({ length: times }, () => order('pro', 10))]
  })
  // Whoever was never exposed is no unit, whatever they order.
  await identify(ws.app, 'stranger')
  await track(ws.app, 'stranger', [order('pro', 10)])
  await rollUp(operator)
  const found = await read(ws, id)
  assert.deepEqual(
    new Map(found.groups.map((group: any) => [group.variantId, [group.units, group.did, Math.round(group.mean * group.units)]])),
    wanted,
  )
  assert.deepEqual(found.languages.map(({ sum }: any) => sum).toSorted(), [...wanted.values()].map(([, , sum]) => sum).toSorted())
  assert.equal(expectStatus(await put({ metric: { ...metric, where: undefined } }), 409).body.code, 'EXPERIMENT_STARTED')
})

test('with cuped what people did before they were exposed is taken out of what they do after', async () => {
  const ws = await workspaceOverTime(app)
  const subjectId = await publishVariants(ws, [1, 1])
  const id = `instance:${subjectId}`
  const put = (body: object) => ws.admin.put(`/experiments/${id}`, body)
  const metric = { event: 'click', of: 'count', days: 7, namesIt: true }
  assert.equal(expectStatus(await put({ cuped: true, metric }), 200).data.cuped, true)
  const sums = new Map(['a', 'b'].map((variant) => [variant, { units: 0, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }]))
  const pastOf = (n: number) => n % 7
  await visit(ws, [0, 60], (_, n) => Array.from({ length: pastOf(n) }, () => ({ type: 'click', instanceId: 'another' })))
  await rollUp(operator)
  await advance(DAY)
  await rollUp(operator)
  const click = { type: 'click', instanceId: subjectId }
  await visit(ws, [0, 60], (device, n) => {
    const [x, y] = [pastOf(n), pastOf(n) + (n % 2)]
    const of = sums.get(variantOf(device, subjectId))
    if (of) Object.assign(of, { units: of.units + 1, y: of.y + y, yy: of.yy + y * y, x: of.x + x, xx: of.xx + x * x, xy: of.xy + x * y })
    return [{ type: 'impression', instanceId: subjectId }, ...Array.from({ length: y }, () => click)]
  })
  await rollUp(operator)
  const admin = await ws.signIn()
  const found = await read({ admin }, id)
  const wanted = adjustedMeans([...sums.values()])
  for (const [index, { mean, units }] of found.groups.entries()) {
    assert.equal(units, wanted[index]?.units)
    assert.ok(Math.abs(mean - (wanted[index]?.mean ?? 0)) < 1e-9, `${mean}`)
  }
  assert.ok(found.narrower > 0.5 && found.narrower < 1, `${found.narrower}`)
  assert.equal((await admin.put(`/experiments/${id}`, { cuped: false })).status, 409)
})

test('what days of people do not count is read from histories: orders of some size, before the exposure', async () => {
  const ws = await workspaceOverTime(app)
  // So many that chance leaves neither variant with too few.
  const everybody: [number, number] = [0, 120]
  const subjectId = await publishVariants(ws, [1, 1])
  const id = `instance:${subjectId}`
  const where = { logicalOperator: 'AND', conditions: [{ field: 'properties.size', operator: 'greater_than', value: 2 }] }
  const metric = { event: 'order', where, of: 'count', days: 7, namesIt: false }
  expectStatus(await ws.admin.put(`/experiments/${id}`, { cuped: true, metric }), 200)
  const large = { type: 'order', properties: { size: 3 } }
  const small = { type: 'order', properties: { size: 1 } }
  const sums = new Map(['a', 'b'].map((variant) => [variant, { units: 0, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }]))
  const pastOf = (n: number) => n % 7
  await visit(ws, everybody, (_, n) => [small, ...Array.from({ length: pastOf(n) }, () => large)])
  await rollUp(operator)
  await visit(ws, everybody, (device, n) => {
    const [x, y] = [pastOf(n), pastOf(n) + (n % 2)]
    const of = sums.get(variantOf(device, subjectId))
    if (of) Object.assign(of, { units: of.units + 1, y: of.y + y, yy: of.yy + y * y, x: of.x + x, xx: of.xx + x * x, xy: of.xy + x * y })
    return [{ type: 'impression', instanceId: subjectId }, small, ...Array.from({ length: y }, () => large)]
  })
  await rollUp(operator)
  // What comes later is no past.
  await visit(ws, everybody, () => [{ type: 'impression', instanceId: subjectId }])
  await rollUp(operator)
  const found = await read(ws, id)
  const wanted = adjustedMeans([...sums.values()])
  for (const [index, { mean, units }] of found.groups.entries()) {
    assert.equal(units, wanted[index]?.units)
    assert.ok(Math.abs(mean - (wanted[index]?.mean ?? 0)) < 1e-9, `${mean}`)
  }
  assert.ok(found.narrower > 0.5 && found.narrower < 1, `${found.narrower}`)
  const uses = async () =>
    (await ctx.db.selectFrom('tracker_uses').select('used_by').where('workspace_id', '=', ws.id).execute()).map(({ used_by: by }) => by)
  assert.deepEqual(await uses(), [id])
  expectStatus(await ws.admin.put(`/experiments/${id}?restart=true`, { cuped: false }), 200)
  assert.deepEqual(await uses(), [])
})

test('what was decided becomes a draft with only that variant, unless the content moved; apps get what they got', async () => {
  const ws = await workspace()
  const subjectId = await publishVariants(ws, [1, 1])
  const [id, path] = [`instance:${subjectId}`, `/blocks/hero/instances/${subjectId}`]
  await visit(ws, [0, 4], () => [{ type: 'impression', instanceId: subjectId }])
  await rollUp(operator)
  const decide = (body: object, headers = {}) => ws.admin.post(`/experiments/${id}/decide`, body, { headers })
  const item = async () => expectStatus(await ws.admin.get(path), 200).data
  const shown = async () => (await ws.blocks('D0')).map(({ values }) => values['#title'])
  const [before, seen] = [await item(), await shown()]
  const stale = { 'if-match': `"${before.version + 1}"` }
  assert.equal(expectStatus(await decide({ variant: 'a', apply: true }, stale), 412).body.code, 'VERSION_CHANGED')
  // Somebody edits the weights meanwhile: nothing is decided, and nothing of theirs is lost.
  const moved = before.variants.map((variant: object, index: number) => ({ ...variant, weight: index + 1 }))
  expectStatus(await ws.admin.put(`${path}?draft=true`, { variants: moved }), 200)
  assert.equal(expectStatus(await decide({ variant: 'a', apply: true }), 409).body.code, 'EXPERIMENT_CONTENT_CHANGED')
  assert.deepEqual([(await item()).variants, (await read(ws, id)).state], [moved, 'running'])
  expectStatus(await ws.admin.put(`${path}?draft=true`, { variants: before.variants }), 200)
  const decided = expectStatus(await decide({ variant: 'a', apply: true, note: 'clearer' }), 200).data
  assert.deepEqual([decided.state, decided.decision.variant], ['decided', 'a'])
  const draft = await item()
  assert.deepEqual(
    draft.variants.map((variant: any) => [variant.id, variant.values]),
    [['a', { '#title': 'Title 0' }]],
  )
  assert.deepEqual(await shown(), seen)
  expectStatus(await ws.admin.post(`${path}/publish`, { target: 'live' }), 200)
  for (const device of ['D0', 'D1', 'D2', 'D3'])
    assert.deepEqual(
      (await ws.blocks(device)).map(({ values }) => values['#title']),
      ['Title 0'],
    )
})

test('what was decided of a campaign is an edit of it: at once with approval rights, else it waits for somebody who has them', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const variants = ['short', 'long'].map((each) => ({ id: each, weight: 1, values: { title: each } }))
  const content = { en: { title: 'x', body: 'y', variants }, ar: { title: 'z', variants: [{ ...variants[0], id: 'other' }] } }
  const begun = async () => {
    const { id } = await launch(ws, editor, { content })
    await identify(ws.app, 'D0')
    await track(ws.app, 'D0', [{ type: 'impression', campaignId: id }])
    await rollUp(operator)
    return id
  }
  const decide = (id: string, body: object, by = ws.admin, headers = {}) => by.post(`/experiments/campaign:${id}/decide`, body, { headers })
  const contentOf = async (id: string) => expectStatus(await ws.admin.get(`/campaigns/${id}`), 200).data.content
  const short = { ...content, en: { ...content.en, variants: [variants[0]] } }

  const first = await begun()
  const stale = { 'if-match': '"99"' }
  assert.equal(expectStatus(await decide(first, { variant: 'short', apply: true }, ws.admin, stale), 412).body.code, 'VERSION_CHANGED')
  const asked = expectStatus(await decide(first, { variant: 'short', apply: true }, editor), 200).data
  assert.equal(asked.state, 'decided')
  assert.deepEqual(await contentOf(first), content)
  const path = `/campaigns/${first}/edit-requests`
  const [waiting] = expectStatus(await ws.admin.get(path), 200).data.editRequests
  assert.deepEqual([waiting.id, waiting.changes], [asked.decision.editRequestId, { content: short }])
  expectStatus(await ws.admin.post(`${path}/${waiting.id}/approve`, {}), 200)
  assert.deepEqual(await contentOf(first), short)

  const second = await begun()
  const none = expectStatus(await decide(second, { variant: null, apply: true }), 200).data
  assert.equal('editRequestId' in none.decision, false)
  assert.deepEqual(await contentOf(second), { en: { title: 'x', body: 'y' }, ar: { title: 'z' } })

  const third = await begun()
  const moved = { ...content, en: { ...content.en, variants: variants.map((each, index) => ({ ...each, weight: index + 1 })) } }
  expectStatus(await ws.admin.put(`/campaigns/${third}`, { content: moved }), 200)
  assert.equal(expectStatus(await decide(third, { variant: 'short', apply: true }), 409).body.code, 'EXPERIMENT_CONTENT_CHANGED')
  expectStatus(await ws.admin.put(`/campaigns/${third}`, { content }), 200)
  expectStatus(await ws.admin.patch(`/campaigns/${third}/status`, { status: 'completed' }), 200)
  assert.equal(expectStatus(await decide(third, { variant: 'short', apply: true }), 409).body.code, 'CAMPAIGN_NOT_EDITABLE')
  assert.equal((await read(ws, `campaign:${third}`)).state, 'running')
})
