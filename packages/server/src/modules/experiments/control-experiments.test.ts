/** What a control group changes, as an experiment: people are its units, and whatever they do counts, whatever it names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { erase, identify, personRow } from '../../../test/builders/people.ts'
import { addPeople, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { workspace, ctx, operator, advance } = app

const USERS = Array.from({ length: 120 }, (_, n) => `U${n}`)
const deviceOf = (user: string) => `D ${user}`
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/experiments/${id}`), 200).data
const groupsOf = ({ groups }: any) => groups.map(({ variantId, units, did }: any) => [variantId, units, did])

async function shop() {
  const ws = await workspace()
  await addPeople(ws, USERS)
  for (const user of USERS) await identify(ws.app, deviceOf(user), user)
  return { ws, editor: await ws.editor() }
}

async function leftOut(ws: Workspace, id: string): Promise<Set<string>> {
  const held = new Set<string>()
  for (const user of USERS) if (isInControlGroup(50, (await personRow(ctx, ws.id, user))?.id, id, hash32)) held.add(user)
  return held
}

test('a control group is an experiment from the first person on: both groups with what they did since, whatever it names', async () => {
  const { ws, editor } = await shop()
  const planned = { hypothesis: 'It brings purchases', metric: { event: 'order_completed', of: 'value', days: 3, namesIt: false } }
  const { id } = await launch(ws, editor, { controlPercent: 50 })
  const experiment = `control:${id}`
  assert.deepEqual([(await read(ws, experiment)).state, (await read(ws, experiment)).metric.event], ['planned', 'conversion'])
  const naming = { metric: { ...planned.metric, namesIt: true } }
  assert.match(expectStatus(await ws.admin.put(`/experiments/${experiment}`, naming), 400).body.error, /namesIt must be false/)
  const left = { metric: { event: 'unsubscribe', of: 'people', days: 3, namesIt: false }, mustNot: 'rise', margin: 0.05 }
  expectStatus(await ws.admin.put(`/experiments/${experiment}`, { ...planned, guardrails: [left] }), 200)

  // Before anybody was noted, nothing is because of it.
  await track(ws.app, deviceOf('U0'), [{ type: 'order_completed', value: 1_000 }])
  await rollUp(operator)
  const held = await leftOut(ws, id)
  for (const user of USERS) await ws.blocks(deviceOf(user))
  const spent = (user: string, n: number) => (held.has(user) ? (n % 3 === 0 ? 10 : 0) : n % 2 === 0 ? 30 : 0)
  for (const [n, user] of USERS.entries()) {
    const value = spent(user, n)
    await track(ws.app, deviceOf(user), [
      ...(value > 0 ? [{ type: 'order_completed', value }] : []),
      ...(n % 40 === 0 ? [{ type: 'unsubscribe' }] : []),
    ])
  }
  await rollUp(operator)
  const found = await read(ws, experiment)
  const side = (isHeld: boolean) => USERS.filter((user) => held.has(user) === isHeld)
  const did = (isHeld: boolean) => side(isHeld).filter((user) => spent(user, USERS.indexOf(user)) > 0).length
  assert.deepEqual(groupsOf(found), [
    ['reached', side(false).length, did(false)],
    ['control', side(true).length, did(true)],
  ])
  assert.deepEqual([found.subject, found.subjectId, found.state, found.run], ['control', id, 'running', 1])
  const total = side(false).reduce((sum, user) => sum + spent(user, USERS.indexOf(user)), 0)
  assert.equal(found.groups[0].mean, total / side(false).length)
  assert.equal(found.verdict.best, 'reached')
  assert.equal(found.guardrails[0].metric.event, 'unsubscribe')
  assert.equal(found.series.length, 1)
  const listed = expectStatus(await ws.admin.get('/experiments?state=running'), 200).data.experiments
  assert.deepEqual(
    listed.map((each: any) => each.id),
    [experiment],
  )
  // Whoever is erased is forgotten; what they added stays in the sums.
  await erase(ws.app, deviceOf('U1'))
  await rollUp(operator)
  assert.deepEqual(groupsOf(await read(ws, experiment)), groupsOf(found))

  const apply = { variant: 'reached', apply: true }
  assert.match(expectStatus(await ws.admin.post(`/experiments/${experiment}/decide`, apply), 400).body.error, /^apply/)
  const decided = expectStatus(await ws.admin.post(`/experiments/${experiment}/decide`, { variant: 'reached', note: 'goes on' }), 200).data
  assert.deepEqual([decided.state, decided.decision.variant], ['decided', 'reached'])
  await identify(ws.app, 'late', 'late')
  await ws.blocks('late')
  await track(ws.app, 'late', [{ type: 'order_completed', value: 5 }])
  await rollUp(operator)
  assert.deepEqual(groupsOf(await read(ws, experiment)), groupsOf(found))
})

test('whoever was written to is found without an event of theirs; another share begins a new run with nobody in it', async () => {
  const { ws, editor } = await shop()
  const push = await openPush()
  await push.connect(ws.admin)
  const content = { en: { title: 'Hi', body: 'x' } }
  const { id } = await launch(ws, editor, { content, dispatchChannels: ['push', 'in_app'], controlPercent: 50 })
  const experiment = `control:${id}`
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await track(ws.app, deviceOf('U3'), [{ type: 'purchase', value: 3 }])
  await rollUp(operator)
  const held = await leftOut(ws, id)
  const found = await read(ws, experiment)
  assert.deepEqual(groupsOf(found), [
    ['reached', USERS.length - held.size, held.has('U3') ? 0 : 1],
    ['control', held.size, held.has('U3') ? 1 : 0],
  ])
  assert.match(found.because, /^Too few people/)
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { controlPercent: 20 }), 200)
  await addPeople(ws, ['new'])
  await identify(ws.app, 'D new', 'new')
  await ws.blocks('D new')
  await track(ws.app, 'D new', [{ type: 'purchase', value: 3 }])
  await rollUp(operator)
  const again = await read(ws, experiment)
  assert.deepEqual([again.run, again.units], [2, 1])
  assert.deepEqual(again.groups.map(({ did }: any) => did).toSorted(), [0, 1])
})

test('whoever does nothing at all is found by the look of the next hour', async () => {
  const ws = await workspaceOverTime(app)
  const { id } = await launch(ws, await ws.editor(), { controlPercent: 50 })
  for (const user of ['first', 'second']) {
    await addPeople(ws, [user])
    await identify(ws.app, deviceOf(user), user)
  }
  await ws.blocks(deviceOf('first'))
  await track(ws.app, deviceOf('first'), [{ type: 'purchase' }])
  await rollUp(operator)
  await ws.blocks(deviceOf('second'))
  await advance(2 * 3_600)
  await rollUp(operator)
  const { units, groups } = await read({ ...ws, admin: await ws.signIn() }, `control:${id}`)
  assert.deepEqual([units, groups.reduce((sum: number, { did }: any) => sum + did, 0)], [2, 1])
})

test('a plan says how many people both groups need, which is more the smaller one of them is', async () => {
  const { ws } = await shop()
  const totals = []
  for (const controlPercent of [50, 10]) {
    const { id } = await launch(ws, await ws.editor(), { controlPercent, name: `Of ${controlPercent}` })
    const { plan } = expectStatus(
      await ws.admin.put(`/experiments/control:${id}`, { plan: { baseline: 0.05, relativeEffect: 0.2 } }),
      200,
    ).data
    totals.push(plan)
  }
  assert.equal(totals[0].total, 18_856)
  assert.equal(totals[1].total, Math.ceil(18_856 / 0.36))
  assert.equal(totals[1].perVariant, Math.ceil(totals[1].total / 10))
  const without = await launch(ws, await ws.editor(), {})
  for (const unknown of [`control:${without.id}`, 'control:nobody', 'holdout:x', 'control:'])
    expectStatus(await ws.admin.get(`/experiments/${unknown}`), 404)
})
