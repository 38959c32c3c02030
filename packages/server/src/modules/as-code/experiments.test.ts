/** What people chose of experiments, as a part of the workspace as one document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '../../../test/builders/campaigns.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { apply, applyPlanned, carry, exported, plan, refused, told } from '../../../test/builders/code.ts'
import { rollUp } from '../../../test/builders/events.ts'
import { publishVariants, visit } from '../../../test/builders/experiments.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator } = await startApp()

const WHERE = { logicalOperator: 'AND', conditions: [{ field: 'properties.plan', operator: 'equals', value: 'pro' }] }
const CHOICE = {
  hypothesis: 'Shorter sells',
  metric: { event: 'order', where: WHERE, of: 'people', days: 3, namesIt: false },
  guardrails: [{ metric: { event: 'unsubscribe', of: 'people', days: 3, namesIt: false }, mustNot: 'rise', margin: 0.01 }],
  plan: { baseline: 0.1, relativeEffect: 0.2 },
  cuped: false,
}
const CUPED = { hypothesis: '', metric: { event: 'click', of: 'count', days: 7, namesIt: true }, guardrails: [], plan: null, cuped: true }
const ANY = { event: 'conversion', of: 'people', days: 7, namesIt: false }
const CONTROL = { hypothesis: 'It brings orders', metric: ANY, guardrails: [], plan: null, cuped: false }

test('goal, guardrails and plan of items and campaigns: carried to another workspace, changed and taken back', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const instance = `instance:${await publishVariants(from, [1, 1])}`
  const variants = ['a', 'b'].map((id) => ({ id, weight: 1, values: { title: id } }))
  const { id: made } = await create(from.admin, { content: { en: { title: 'x', variants } }, controlPercent: 10 })
  const [campaign, control] = [`campaign:${made}`, `control:${made}`]
  // An experiment for which nobody chose anything is not exported.
  assert.deepEqual((await exported(from, 'experiments')).data, { experiments: [] })
  expectStatus(await from.admin.put(`/experiments/${instance}`, CHOICE), 200)
  expectStatus(await from.admin.put(`/experiments/${campaign}`, CUPED), 200)
  expectStatus(await from.admin.put(`/experiments/${control}`, { hypothesis: 'It brings orders' }), 200)
  const { experiments } = (await exported(from, 'experiments')).data
  assert.deepEqual(experiments, [
    { id: campaign, ...CUPED },
    { id: control, ...CONTROL },
    { id: instance, ...CHOICE },
  ])
  const changes = await carry(from, to)
  assert.deepEqual(told(changes.filter(({ kind }) => kind === 'experiments')), [
    `create experiments ${campaign}`,
    `create experiments ${control}`,
    `create experiments ${instance}`,
  ])
  const read = async (id: string) => expectStatus(await to.admin.get(`/experiments/${id}`), 200).data
  const { state, metric, plan: size } = await read(instance)
  assert.deepEqual([state, metric, size.total > 0], ['planned', CHOICE.metric, true])

  const other = { id: instance, ...CHOICE, plan: null }
  const deleted = await apply(to, { experiments: [other] })
  assert.deepEqual(deleted.map(({ key, change }: any) => [key, change]).slice(0, 2), [
    [campaign, 'delete'],
    [control, 'delete'],
  ])
  assert.equal((await read(campaign)).cuped, false)
  assert.equal((await read(instance)).plan, null)

  // Counted: the goal stays, and so does what the document leaves out.
  await visit(to, [0, 2], () => [{ type: 'impression', instanceId: instance.slice('instance:'.length) }])
  await rollUp(operator)
  const goal = { experiments: [{ ...other, guardrails: [] }] }
  const { version, changes: weighed } = await plan(to.admin, goal)
  assert.deepEqual(
    weighed.map(({ refused: why, members }) => [why, members]),
    [['EXPERIMENT_STARTED', ['guardrails']]],
  )
  assert.equal(expectStatus(await applyPlanned(to.admin, goal, version), 409).body.code, 'EXPERIMENT_STARTED')
  assert.deepEqual((await plan(to.admin, { experiments: [] })).kept, [{ kind: 'experiments', key: instance }])
  const words = { experiments: [{ ...other, hypothesis: 'Or not' }] }
  assert.equal((await plan(to.admin, words)).changes[0].refused, null)
  await apply(to, words)
  assert.equal((await read(instance)).hypothesis, 'Or not')
})

test('experiments that cannot be are refused where they stand', async () => {
  const ws = await workspace()
  const id = `instance:${await publishVariants(ws, [1, 1])}`
  await ws.block('plain')
  const { id: plain } = await ws.instance('plain', {})
  for (const [entry, error] of [
    [{ ...CHOICE, id: 'hero' }, /experiments\[0\]: id must be instance:<id>, campaign:<id> or control:<id of the campaign>/],
    [
      { ...CHOICE, id: 'instance:nobody' },
      /experiment "instance:nobody": there is nothing with this id that has two variants, or a control group/,
    ],
    [{ ...CHOICE, id: `instance:${plain}` }, /that has two variants/],
    [{ id }, /experiments\[0\]: this is what stands without it/],
    [{ id, ...CHOICE, name: 'x' }, /name is not a member of an experiment/],
    [{ id, ...CHOICE, cuped: 'yes' }, /cuped must be a boolean/],
    [{ id: 'control:nobody', metric: CUPED.metric }, /namesIt must be false/],
    [{ ...CHOICE, id: 'holdout:x' }, /id must be/],
    [{ id, ...CHOICE, plan: { baseline: 0.9, relativeEffect: 1 } }, /plan must be/],
    [{ id, ...CHOICE, metric: { ...CHOICE.metric, days: 31 } }, /metric must be/],
    [{ id, ...CHOICE, metric: { ...CHOICE.metric, where: {} } }, /metric\.where\.logicalOperator/],
    [{ id, ...CHOICE, guardrails: [{ ...CHOICE.guardrails[0], margin: -1 }] }, /guardrails\[0\] must be/],
    [{ id, ...CHOICE, guardrails: Array.from({ length: 6 }, () => CHOICE.guardrails[0]) }, /guardrails must be/],
  ] as const)
    await refused(ws, { experiments: [entry] }, error)
})
