/** What a journey leads to, how many came to each step, and what it was before it was changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { track } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, runsOf, setStatus, startJourney, wait } from '../../../../test/builders/journeys.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, advance, operator, ctx } = await startApp()

const HOUR = 3_600
const check = () => journeys.check(operator)
const report = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/journeys/${id}/report`), 200).data
const buy = (ws: Workspace, deviceId: string) => track(ws.app, deviceId, [{ type: 'purchase', blockKey: 'promo' }])
const bought = { eventType: 'CONVERSION', days: 1 }

/** Users U1 to U4, each on a device of the same name. */
async function shop() {
  const ws = await workspace()
  for (const id of ['U1', 'U2', 'U3', 'U4']) await identify(ws.app, id, id)
  return ws
}

test('G-57 who does what the goal says in time after entering has converted, once, also while the journey is paused', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: [wait(60)], goal: bought })
  await buy(ws, 'U1')
  await advance(1)
  await enroll(ws, id, ['U1', 'U2', 'U3'])
  await check()
  assert.deepEqual((await report(ws, id)).goal, { ...bought, converted: 0 }, 'what happened before is not counted')
  await buy(ws, 'U2')
  await buy(ws, 'U2')
  await buy(ws, 'U4')
  await advance(60)
  await check()
  assert.deepEqual((await report(ws, id)).goal, { ...bought, converted: 1 })
  const [{ convertedAt }] = await runsOf(ws, id, 'U2')
  assert.ok(convertedAt)
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  await buy(ws, 'U1')
  await advance(60)
  await check()
  assert.deepEqual((await report(ws, id)).goal, { ...bought, converted: 2 })
  // Too late for U3.
  ctx.clock.advance(23 * HOUR)
  await identify(ws.app, 'U3', 'U3')
  await advance(HOUR)
  await buy(ws, 'U3')
  await advance(60)
  await check()
  // Read from the table: no session lives for a day.
  const rows = await ctx.db.selectFrom('journey_runs').select('converted_at').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual([rows.length, rows.filter(({ converted_at }) => converted_at !== null).length], [3, 2])
})

test('G-57 a goal that is changed is counted anew, and one that is taken away is gone', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: [wait(60)] })
  await enroll(ws, id, ['U1', 'U2'])
  await check()
  await buy(ws, 'U1')
  await track(ws.app, 'U2', [{ type: 'cta_click', blockKey: 'promo' }])
  assert.equal((await report(ws, id)).goal, null)
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  for (const [goal, converted] of [
    [bought, 1],
    [{ eventType: 'CTA_CLICK' }, 1],
    [{ eventType: 'SIGN_UP' }, 0],
  ] as const) {
    const { data } = expectStatus(await ws.admin.put(`/journeys/${id}`, { goal }), 200)
    assert.deepEqual(data.goal, { days: 7, ...goal })
    await advance(60)
    await check()
    assert.deepEqual((await report(ws, id)).goal, { days: 7, ...goal, converted })
  }
  expectStatus(await ws.admin.put(`/journeys/${id}`, { goal: null }), 200)
  assert.equal((await report(ws, id)).goal, null)
  for (const goal of [{}, 'CONVERSION', { eventType: 'FOO' }, { eventType: 'CONVERSION', days: 0 }, { eventType: 'CONVERSION', days: 91 }])
    assert.match(expectStatus(await ws.admin.put(`/journeys/${id}`, { goal }), 400).body.error, /goal/)
})

test('G-57 the report says how many came to each step, whoever is still there or not', async () => {
  const ws = await shop()
  const steps = [
    { ...IN_APP, id: 'hello' },
    { id: 'half', type: 'split', percent: 99, then: [{ ...wait(60), id: 'hour' }], else: [{ id: 'out', type: 'exit' }] },
    { id: 'morning', type: 'wait_until', hour: 9, zone: 'Asia/Riyadh' },
  ]
  const id = await startJourney(ws, { steps })
  await enroll(ws, id, ['U1', 'U2', 'U3', 'U4'])
  await check()
  const entered = async () => Object.fromEntries((await report(ws, id)).steps.map((step: any) => [step.step, step.entered]))
  const first = await entered()
  assert.deepEqual([first.hello, first.half, first.hour + first.out, first.morning], [4, 4, 4, 0])
  await advance(HOUR + 60)
  await check()
  assert.deepEqual(await entered(), { ...first, morning: first.hour })
  for (const { dueAt, step } of await runsOf(ws, id)) if (step === 'morning') assert.match(dueAt, /T06:00:00/)
})

test('M-JRN-13 G-73 a step of two ways and a wait until an hour are taken and refused as the others are', async () => {
  const ws = await workspace()
  const exit = { type: 'exit' }
  const wrong: [step: object, says: RegExp][] = [
    [{ type: 'split', percent: 0, then: [exit] }, /steps\[0\]\.percent must be a whole number from 1 to 99/],
    [{ type: 'split', percent: 100, then: [exit] }, /steps\[0\]\.percent/],
    [{ type: 'split', percent: 50 }, /steps\[0\]\.then/],
    [{ type: 'wait_until', hour: 24, zone: 'UTC' }, /steps\[0\]\.hour/],
    [{ type: 'wait_until', hour: -1, zone: 'UTC' }, /steps\[0\]\.hour/],
    [{ type: 'wait_until', hour: 9 }, /steps\[0\]\.zone must be an IANA time zone/],
    [{ type: 'wait_until', hour: 9, zone: '+03:00' }, /steps\[0\]\.zone/],
    [{ type: 'wait_until', hour: 9, zone: 'Mars/Olympus' }, /steps\[0\]\.zone/],
  ]
  for (const [step, says] of wrong)
    assert.match(
      expectStatus(await ws.admin.post('/journeys', { name: 'n', trigger: { type: 'manual' }, steps: [step] }), 400).body.error,
      says,
      JSON.stringify(step),
    )
  assert.deepEqual((await ws.admin.get('/journeys')).data.journeys, [])
})

test('G-57 what a journey was is kept, with who changed what', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { userId } = expectStatus(await editor.get('/auth/me'), 200).data.user
  const { id, createdBy } = await makeJourney(ws.admin, {
    name: 'First',
    steps: [
      { ...wait(1), id: 'a' },
      { ...IN_APP, id: 'b' },
    ],
  })
  const put = async (body: object) => expectStatus(await editor.put(`/journeys/${id}`, body), 200)
  await put({
    name: 'Second',
    steps: [
      { ...wait(2), id: 'a' },
      { type: 'exit', id: 'c' },
    ],
  })
  await put({ name: 'Second' })
  expectStatus(await setStatus(editor, id, 'active'), 200)
  const versions = async (query = '') => expectStatus(await ws.admin.get(`/journeys/${id}/versions${query}`), 200)
  const { data, body } = await versions()
  assert.equal(body.metadata.total, 2, 'what changes nothing, and the status, is no version')
  assert.deepEqual(
    data.versions.map(({ version, changedBy, changes }: any) => [version, changedBy, changes]),
    [
      [
        2,
        userId,
        {
          members: ['name'],
          steps: [
            { step: 'a', type: 'wait', change: 'changed' },
            { step: 'c', type: 'exit', change: 'added' },
            { step: 'b', type: 'in_app', change: 'removed' },
          ],
        },
      ],
      [1, createdBy, null],
    ],
  )
  const page = await versions('?limit=1')
  assert.deepEqual(
    (await versions(`?limit=1&cursor=${page.body.metadata.nextCursor}`)).data.versions.map(({ version }: any) => version),
    [1],
  )
  const whole = expectStatus(await ws.admin.get(`/journeys/${id}/versions/1`), 200).data
  assert.deepEqual(
    [whole.name, whole.trigger, whole.goal, whole.steps.map((step: any) => step.id)],
    ['First', { type: 'manual' }, null, ['a', 'b']],
  )
  for (const number of ['3', '0', '-1', 'x', '99999999999999999999'])
    expectStatus(await ws.admin.get(`/journeys/${id}/versions/${number}`), 404)
  expectStatus(await ws.admin.get('/journeys/no-such/versions'), 404)
})
