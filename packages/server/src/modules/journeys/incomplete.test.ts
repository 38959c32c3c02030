/** Drafts that are stored though something is missing in them (G-57). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Client } from '../../../test/builders/builders.ts'
import { apply, applyPlanned, exported, plan, refused } from '../../../test/builders/code.ts'
import { MESSAGE, makeJourney, setStatus, wait } from '../../../test/builders/journeys.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const OPEN_RULE = { logicalOperator: 'AND', rules: [{ field: '', operator: 'equals' }] }
/** Everything that may be open at once. */
const OPEN = {
  name: '',
  trigger: { type: 'segment_entry', segment: '' },
  goal: { eventType: 'SIGN_UP', days: null },
  steps: [
    { id: 'wait', type: 'wait', minutes: null },
    { id: 'prayer', type: 'wait_until', afterPrayer: 'isha', minutesAfter: null, latitude: null, longitude: null },
    { id: 'in-app', type: 'in_app', content: {} },
    {
      id: 'split',
      type: 'split',
      percent: null,
      then: [{ id: 'send', type: 'send', channel: 'whatsapp', content: { en: { whatsappTemplate: { id: '', variables: { 1: '' } } } } }],
      else: [],
    },
    { id: 'condition', type: 'condition', rule: OPEN_RULE, then: [], else: [] },
  ],
}
const WHOLE = {
  name: 'Whole',
  trigger: { type: 'manual' },
  goal: null,
  steps: [{ id: 'wait', type: 'wait', minutes: 5 }],
}
const make = async (by: Client, body: object): Promise<any> =>
  expectStatus(await by.post('/journeys', { ...body, incomplete: true }), 201).data

test('G-57 a draft is stored though something is missing, and says what; by default it is refused as ever', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/journeys', OPEN), 400)
  expectStatus(await ws.admin.post('/journeys', { ...OPEN, incomplete: false }), 400)
  expectStatus(await ws.admin.post('/journeys', { ...OPEN, incomplete: 'yes' }), 400)
  const made = await make(ws.admin, OPEN)
  assert.equal(made.incomplete, true)
  const read = expectStatus(await ws.admin.get(`/journeys/${made.id}`), 200).data
  assert.deepEqual(read, made)
  const { name, trigger, goal, steps } = read
  assert.deepEqual({ name, trigger, goal, steps }, OPEN)
  const paths = read.problems.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
  assert.deepEqual(paths, [
    'name missing',
    'trigger.segment missing',
    'steps[0].minutes missing',
    'steps[1].minutesAfter missing',
    'steps[1].latitude missing',
    'steps[1].longitude missing',
    'steps[2].content missing',
    'steps[3].percent missing',
    'steps[3].then[0].content.en.whatsappTemplate unfinished',
    'steps[4].rule unfinished',
    'goal.days missing',
  ])
  const [listed] = expectStatus(await ws.admin.get('/journeys'), 200).data.journeys
  assert.deepEqual([listed.incomplete, listed.problems], [true, undefined])
  assert.equal((await makeJourney(ws.admin)).incomplete, false)
})

test('G-57 what is incomplete still holds its bounds: kinds, sizes, depth and links', async () => {
  const ws = await workspace()
  const deep = (levels: number): object => (levels === 0 ? OPEN_RULE.rules[0]! : { logicalOperator: 'AND', conditions: [deep(levels - 1)] })
  const condition = (rule: unknown) => ({ steps: [{ type: 'condition', rule, then: [], else: [] }] })
  const wrong: object[] = [
    { name: 'x'.repeat(151) },
    { name: 7 },
    { trigger: { type: 'unheard' } },
    { trigger: { type: 'event' } },
    { trigger: { type: 'inactivity', days: 4_000 } },
    { trigger: { type: 'date', trait: 'not a trait' } },
    { trigger: { type: 'segment_entry', segment: 'nobody made it' } },
    { steps: [{ type: 'wait', minutes: -1 }] },
    { steps: [{ type: 'wait', minutes: '5' }] },
    { steps: [{ type: 'wait_until' }] },
    { steps: [{ type: 'split', percent: 150, then: [] }] },
    { steps: [{ type: 'send', channel: 'pigeon', content: {} }] },
    { steps: [{ type: 'in_app', content: { en: { title: 'x'.repeat(501) } } }] },
    { steps: [{ type: 'in_app', content: { en: { ctaUrl: 'javascript:alert(1)' } } }] },
    { steps: [{ type: 'in_app', content: { en: { unheard: 'x' } } }] },
    { steps: [{ type: 'send', channel: 'whatsapp', content: { en: { whatsappTemplate: { id: '', more: 1 } } } }] },
    {
      steps: [
        { id: 'a', ...wait(1) },
        { id: 'a', ...wait(1) },
      ],
    },
    { steps: Array.from({ length: 501 }, () => wait(1)) },
    condition(deep(7)),
    condition({ logicalOperator: 'NOT', rules: [] }),
    condition({ logicalOperator: 'AND', rules: [{ field: '', operator: 'resembles' }] }),
    condition({ logicalOperator: 'AND', rules: [{ field: 'x'.repeat(257), operator: 'equals' }] }),
    condition({ logicalOperator: 'AND', rules: [{ field: '', operator: 'equals', value: 'x'.repeat(5_000) }] }),
    condition({ logicalOperator: 'AND', rules: Array.from({ length: 501 }, () => OPEN_RULE.rules[0]) }),
    condition({ logicalOperator: 'AND', rules: Array.from({ length: 501 }, () => ({ logicalOperator: 'AND', conditions: [] })) }),
    condition({ logicalOperator: 'AND', rules: [null] }),
  ]
  for (const body of wrong)
    assert.equal((await ws.admin.post('/journeys', { ...OPEN, ...body, incomplete: true })).status, 400, JSON.stringify(body).slice(0, 200))
  assert.equal((await make(ws.admin, { ...OPEN, ...condition(deep(6)) })).incomplete, true)
})

test('G-57 nothing of an incomplete draft runs: it is not activated, approved or tried out until it is complete', async () => {
  const ws = await workspace()
  const { id, version } = await make(ws.admin, OPEN)
  const refuses = async (answer: Answer) => {
    expectStatus(answer, 409)
    assert.deepEqual([answer.body.code, answer.body.problems?.[0]?.path], ['JOURNEY_INCOMPLETE', 'name'])
  }
  await refuses(await ws.admin.post(`/journeys/${id}/test-run`, { userIds: ['u'] }))
  await refuses(await setStatus(ws.admin, id, 'active'))
  expectStatus(await ws.admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  await refuses(await setStatus(ws.admin, id, 'active'))
  expectStatus(await ws.admin.put('/settings/protections', { protections: { approveMessages: false } }), 200)
  // Without the word the members that are sent have to be complete; those left out stay as they are.
  expectStatus(await ws.admin.put(`/journeys/${id}`, { steps: OPEN.steps }), 400)
  const named = expectStatus(await ws.admin.put(`/journeys/${id}`, { name: 'Named' }), 200).data
  assert.deepEqual([named.incomplete, named.problems[0].path, named.version], [true, 'trigger.segment', version + 1])
  const whole = expectStatus(await ws.admin.put(`/journeys/${id}`, { ...WHOLE, incomplete: true }), 200).data
  assert.deepEqual([whole.incomplete, whole.problems], [false, undefined])
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  // What has run is a draft again before it may lack something.
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  await refuses(await ws.admin.put(`/journeys/${id}`, { ...OPEN, incomplete: true }))
  expectStatus(await setStatus(ws.admin, id, 'draft'), 200)
  expectStatus(await ws.admin.put(`/journeys/${id}`, { ...OPEN, incomplete: true }), 200)
  for (const path of ['report', 'runs', 'versions', 'explain?userId=nobody']) {
    const { status } = await ws.admin.get(`/journeys/${id}/${path}`)
    assert.ok(status === 200 || status === 404, path)
  }
})

test('G-57 the document of a workspace holds incomplete drafts as what they are', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const { id } = await make(ws.admin, { ...OPEN, steps: [...OPEN.steps, { id: 'last', type: 'in_app', content: MESSAGE }] })
  const whole = await makeJourney(ws.admin)
  const { journeys } = (await exported(ws, 'journeys')).data as { journeys: any[] }
  const marks = new Map(journeys.map((journey) => [journey.id, journey.incomplete]))
  assert.deepEqual([marks.get(id), marks.get(whole.id)], [true, undefined])
  await apply(other, { journeys })
  assert.equal(expectStatus(await other.admin.get(`/journeys/${id}`), 200).data.incomplete, true)
  assert.deepEqual((await plan(other.admin, { journeys })).changes, [])
  // Without the mark it is refused as ever, and so it is where the journey has run.
  await refused(other, { journeys: journeys.map((journey) => ({ ...journey, incomplete: false })) }, /name/)
  for (const status of ['active', 'paused']) expectStatus(await setStatus(other.admin, whole.id, status), 200)
  const open = { journeys: journeys.map((journey) => ({ ...journey, ...OPEN, incomplete: true })) }
  const planned = await plan(other.admin, open)
  assert.equal(planned.changes.find(({ key }) => key === whole.id)?.refused, 'JOURNEY_INCOMPLETE')
  const done = await applyPlanned(other.admin, open, planned.version)
  assert.deepEqual([done.status, done.body.code], [409, 'JOURNEY_INCOMPLETE'])
})
