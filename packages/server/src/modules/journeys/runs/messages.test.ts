/** Journeys as they meet the channels and the webhooks, and what their bodies may not be. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, runsOf, setStatus, startJourney, wait } from '../../../../test/builders/journeys.ts'
import { openReceiver } from '../../../../test/builders/receivers.ts'
import { addPeople, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, advance, operator, url } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const check = async () => {
  await journeys.check(operator)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
}
const send = (more: object = {}) => ({ type: 'send', channel: 'push', content: { en: { title: 'Hi', body: 'x' } }, ...more })
const sendsOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/sends?sourceId=${id}`), 200).data.sends

test('G-57 M-JRN-11 a step sends to whoever agreed, once, and the ledger says what became of the others', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'], (id) => (id === 'B' ? { consent: {} } : {}))
  const id = await startJourney(ws, { steps: [{ ...send(), id: 'first' }, wait(10), { ...send(), id: 'second' }] })
  await enroll(ws, id, ['A', 'B'])
  assert.equal(push.calls().length, 0)
  await check()
  await check()
  assert.deepEqual(push.tokens(), ['token-A'])
  assert.deepEqual((await sendsOf(ws, id)).map(({ userId, state, reason }: any) => [userId, state, reason]).toSorted(), [
    ['A', 'sent', null],
    ['B', 'skipped', 'noConsent'],
  ])
  await advance(660)
  await check()
  assert.deepEqual(push.tokens(), ['token-A', 'token-A'])
  assert.deepEqual(
    (await runsOf(ws, id)).map(({ status }) => status),
    ['completed', 'completed'],
  )
})

test('G-33 G-97 messages of steps that follow each other at once come in the order of the steps, on whichever way somebody went', async () => {
  const ws = await workspace()
  const say = (title: string) => ({ ...IN_APP, content: { en: { title } } })
  const half = { type: 'split', percent: 50, then: [say('2 then')], else: [say('2 else'), say('3')] }
  const id = await startJourney(ws, { steps: [say('1'), half, say('4'), say('5')] })
  const people = Array.from({ length: 8 }, (_, i) => `u${i}`)
  for (const user of people) {
    expectStatus(await ws.app.post('/identify', { deviceId: user, userId: user, consent: true }), 200)
    expectStatus(await ws.app.post('/consent', { deviceId: user, channels: { inApp: true } }), 200)
  }
  await enroll(ws, id, people)
  await check()
  for (const user of people) {
    const titles = async () => (await ws.blocks(user)).map(({ values }) => values['#title'])
    const all = await titles()
    assert.deepEqual(all, all[1] === '2 then' ? ['1', '2 then', '4', '5'] : ['1', '2 else', '3', '4', '5'])
    const dismissal = { deviceId: user, events: [{ type: 'dismiss', blockKey: 'journey_message' }] }
    expectStatus(await ws.app.post('/events', dismissal), 202)
    assert.deepEqual(await titles(), all.slice(1))
  }
})

test('G-30 open streams are told once of all that a check shows in apps, and of nothing else it does', async () => {
  const ws = await workspace()
  const id = await startJourney(ws, { steps: [IN_APP, wait(5), wait(5)] })
  const people = ['u1', 'u2', 'u3']
  for (const user of people) expectStatus(await ws.app.post('/identify', { deviceId: user, userId: user, consent: true }), 200)
  await enroll(ws, id, people)
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  await check()
  assert.equal((await stream.next()).event, 'message.updated')
  await advance(301)
  await check()
  // Comes behind whatever the checks said.
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'news' } })
  assert.equal((await stream.next()).event, 'block.published')
  stream.close()
})

test('M-HOOK-08 M-HOOK-10 each real change of status is told, with who made it', async () => {
  const ws = await workspace()
  const receiver = await openReceiver()
  after(() => receiver.close())
  expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: ['journey.status_changed'] }), 201)
  const { id } = await makeJourney(ws.admin, { name: 'Welcome' })
  const { userId } = expectStatus(await ws.admin.get('/auth/me'), 200).data.user
  for (const status of ['draft', 'active', 'active', 'paused', 'active', 'draft']) expectStatus(await setStatus(ws.admin, id, status), 200)
  expectStatus(await setStatus(ws.admin, id, 'paused'), 409)
  expectStatus(await setStatus(ws.admin, id, 'done'), 400)
  expectStatus(await setStatus(ws.admin, 'no-such', 'active'), 404)
  const told = (await receiver.waitFor(4)).map(({ event }) => event)
  assert.deepEqual(told.map(({ data }) => [data.from, data.to]).toSorted(), [
    ['active', 'draft'],
    ['active', 'paused'],
    ['draft', 'active'],
    ['paused', 'active'],
  ])
  for (const { event, data } of told) {
    assert.deepEqual([event, data.journeyId, data.name], ['journey.status_changed', id, 'Welcome'])
    assert.equal(data.actor.userId, userId)
  }
})

test('G-57 what is no journey is refused with where it is wrong, and nothing is stored', async () => {
  const ws = await workspace()
  const content = { en: { title: 'x' } }
  const rule = { field: 'customAttributes.a', operator: 'exists' }
  const nested = (depth: number): object => (depth === 0 ? { type: 'exit' } : { type: 'condition', rule, then: [nested(depth - 1)] })
  const wrong: [step: unknown, says: RegExp][] = [
    [null, /steps\[0\]/],
    [{ type: 'jump' }, /steps\[0\]\.type/],
    ...[1.5, -1, '5', 5_256_001, 10 * 366 * 1_440, undefined, null].map((minutes): [unknown, RegExp] => [
      { type: 'wait', minutes },
      /steps\[0\]\.minutes/,
    ]),
    [{ type: 'send', channel: 'pigeon', content }, /steps\[0\]\.channel/],
    [{ type: 'send', content }, /steps\[0\]\.channel/],
    [{ type: 'send', channel: 'push' }, /steps\[0\]\.content/],
    [{ type: 'in_app', content: {} }, /at least one locale/],
    [{ type: 'in_app', content: { en: { colour: 'red' } } }, /content\.en: "colour" is not known/],
    [{ type: 'in_app', content: { 'not a locale': { title: 'x' } } }, /locale code/],
    [{ type: 'in_app', content: { en: { ctaUrl: 'javascript:alert(1)' } } }, /ctaUrl/],
    [{ type: 'in_app', content: { en: { title: 'a' }, EN: { title: 'b' } } }, /twice/],
    [{ type: 'condition', rule }, /steps\[0\]\.then/],
    [{ type: 'condition', rule, then: [{ type: 'exit' }], else: {} }, /steps\[0\]\.else/],
    [{ type: 'condition', then: [{ type: 'exit' }] }, /steps\[0\]\.rule/],
    [{ type: 'condition', rule: { field: 'moon.phase', operator: 'exists' }, then: [{ type: 'exit' }] }, /steps\[0\]\.rule/],
    [{ type: 'condition', rule: { field: 'customAttributes.a', operator: 'smells' }, then: [{ type: 'exit' }] }, /operator/],
    [{ type: 'condition', rule, then: [{ type: 'wait' }] }, /steps\[0\]\.then\[0\]\.minutes/],
    ...[11, 50].map((depth): [unknown, RegExp] => [nested(depth), /deep/]),
  ]
  const body = { name: 'n', trigger: { type: 'manual' }, steps: [] }
  const { id } = await makeJourney(ws.admin)
  for (const [step, says] of wrong) {
    assert.match(expectStatus(await ws.admin.post('/journeys', { ...body, steps: [step] }), 400).body.error, says, JSON.stringify(step))
    expectStatus(await ws.admin.put(`/journeys/${id}`, { steps: [step] }), 400)
  }
  for (const odd of [
    {
      ...body,
      steps: [
        { id: 'a', ...IN_APP },
        { id: 'a', type: 'exit' },
      ],
    },
    ...[501, 1_000].map((length) => ({ ...body, steps: Array.from({ length }, () => ({ type: 'exit' })) })),
    { ...body, steps: 'none' },
    { ...body, name: '' },
    { ...body, name: 1 },
    { name: 'n', steps: [] },
    { trigger: { type: 'manual' }, steps: [] },
    { name: 'n', trigger: { type: 'manual' } },
    [],
  ])
    expectStatus(await ws.admin.post('/journeys', odd), 400)
  assert.equal((await ws.admin.get('/journeys')).data.journeys.length, 1)
  assert.equal(expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data.version, 1)
  for (const right of [
    nested(10),
    { type: 'condition', rule: { logicalOperator: 'OR', conditions: [rule, rule] }, then: [{ type: 'exit' }] },
  ])
    assert.equal((await makeJourney(ws.admin, { steps: [right] })).steps[0].type, 'condition')
  // Unknown members are ignored (G-13), so what was read can be sent back.
  const read = await makeJourney(ws.admin, { status: 'active', colour: 'red', steps: [{ type: 'exit', next: 1 }] })
  assert.deepEqual([read.status, read.colour, read.steps[0].next], ['draft', undefined, undefined])
  assert.deepEqual(expectStatus(await ws.admin.put(`/journeys/${read.id}`, read), 200).data.steps, read.steps)
  expectStatus(await ws.admin.patch(`/journeys/${read.id}/status`, { status: 'active', colour: 'red' }), 200)
  expectStatus(await ws.admin.post(`/journeys/${read.id}/enroll`, { userIds: ['nobody'], colour: 'red' }), 200)
  const rules = { logicalOperator: 'OR', rules: [rule] }
  const kept = await makeJourney(ws.admin, {
    steps: [{ type: 'condition', rule: rules, then: [{ type: 'exit' }] }, ...Array.from({ length: 498 }, () => ({ type: 'exit' }))],
  })
  assert.deepEqual([kept.steps[0].rule, kept.steps[0].else, kept.steps.length], [rules, [], 499])
})

test('M-JRN-08 a segment that a journey begins with is in use', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.a', operator: 'exists' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules }), 201).data
  const journey = await makeJourney(ws.admin, { name: 'Hello S', trigger: { type: 'segment_entry', segment: id } })
  assert.match(expectStatus(await ws.admin.delete(`/segments/${id}`), 409).body.error, /Hello S/)
  expectStatus(await ws.admin.delete(`/journeys/${journey.id}`), 200)
  expectStatus(await ws.admin.delete(`/segments/${id}`), 200)
})
