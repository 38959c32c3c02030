/** Journeys: what they take and refuse, and how people move through them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import * as journeys from '../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, peopleIn, runsOf, setStatus, startJourney, wait } from '../../../test/builders/journeys.ts'
import { deny, erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance, operator } = await startApp()

const check = () => journeys.check(operator)
const messages = async (ws: Workspace, device = 'D') => (await ws.blocks(device)).filter(({ key }) => key === 'journey_message')

/** A workspace whose user U, on device D, takes in-app messages. */
async function shop() {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { name: 'Sara', traits: { plan: 'gold' } })
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', channels: { inApp: true } }), 200)
  return ws
}

test('M-JRN-01 M-JRN-10 M-JRN-11 M-JRN-16 people are entered by hand, once, and who is not known is said', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: [{ id: 'pause', ...wait(60) }, IN_APP] })
  assert.deepEqual(await enroll(ws, id, ['U', 'U', 'nobody']), { enrolled: 1, alreadyEnrolled: [], notFound: ['nobody'] })
  assert.deepEqual(await enroll(ws, id, ['U']), { enrolled: 0, alreadyEnrolled: ['U'], notFound: [] })
  const [run, ...others] = await runsOf(ws, id)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [run.userId, run.step, run.waiting, run.status, run.trigger, run.reason],
    ['U', 'pause', false, 'active', { type: 'manual' }, null],
  )
  assert.deepEqual(await runsOf(ws, id, 'nobody'), [])
  expectStatus(await ws.admin.post('/journeys/no-such/enroll', { userIds: ['U'] }), 404)
  expectStatus(await ws.admin.get('/journeys/no-such/runs'), 404)
  for (const userIds of [[], [1], 'U', undefined, [''], Array.from({ length: 5_001 }, (_, i) => `u${i}`)])
    expectStatus(await ws.admin.post(`/journeys/${id}/enroll`, { userIds }), 400)
  await identify(ws.app, 'D2', 'U2')
  await check()
  assert.deepEqual(await peopleIn(ws, id), ['U'])
})

test('M-JRN-15 G-33 X-INT-39 an in-app step is a block for whoever may be sent it, after its wait', async () => {
  const ws = await shop()
  await identify(ws.app, 'D2', 'U2')
  const id = await startJourney(ws, { steps: [wait(60), { id: 'hello', type: 'in_app', content: { en: { title: 'Hi {{name}}' } } }] })
  await enroll(ws, id, ['U', 'U2'])
  assert.equal((await runsOf(ws, id, 'U'))[0].waiting, false)
  await check()
  assert.equal((await runsOf(ws, id, 'U'))[0].waiting, true)
  assert.deepEqual(await messages(ws), [])
  await advance(3_500)
  await check()
  assert.deepEqual(await messages(ws), [])
  await advance(160)
  await check()
  const [block, ...others] = await messages(ws)
  assert.deepEqual(others, [])
  assert.deepEqual([block.source, block.journeyId, block.values['#title']], ['journey', id, 'Hi Sara'])
  assert.deepEqual(await messages(ws, 'D2'), [])
  const [run] = await runsOf(ws, id, 'U')
  assert.deepEqual([run.status, run.step, run.reason, run.dueAt], ['completed', null, 'end', null])
  await deny(ws.app, 'D')
  assert.deepEqual(await messages(ws), [])
})

test('M-JRN-13 M-LIMIT-20 of 25 steps at once 20 are done at one check and 5 at the next', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: Array.from({ length: 25 }, () => IN_APP) })
  await enroll(ws, id, ['U'])
  assert.equal((await messages(ws)).length, 0)
  await check()
  assert.equal((await messages(ws)).length, 20)
  await check()
  assert.equal((await messages(ws)).length, 25)
  assert.equal((await runsOf(ws, id))[0].status, 'completed')
})

test('M-JRN-13 G-57 so with 25 waits of no minutes', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: Array.from({ length: 25 }, () => wait(0)) })
  await enroll(ws, id, ['U'])
  await check()
  assert.equal((await runsOf(ws, id))[0].status, 'active')
  await check()
  assert.equal((await runsOf(ws, id))[0].status, 'completed')
})

test('M-JRN-12 the check comes by itself every minute', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: [IN_APP, wait(1), IN_APP] })
  await enroll(ws, id, ['U'])
  await advance(60)
  assert.equal((await messages(ws)).length, 1)
  await advance(60)
  assert.equal((await messages(ws)).length, 2)
})

test('G-57 a condition decides by rules of every kind, and exit ends the run', async () => {
  const ws = await shop()
  await identify(ws.app, 'D2', 'U2', { traits: { plan: 'basic' } })
  const steps = [
    {
      id: 'is gold',
      type: 'condition',
      rule: { field: 'customAttributes.plan', operator: 'equals', value: 'gold' },
      then: [{ ...IN_APP, id: 'gift' }],
      else: [{ id: 'out', type: 'exit' }],
    },
    { ...wait(5), id: 'after' },
  ]
  const id = await startJourney(ws, { steps })
  await enroll(ws, id, ['U', 'U2'])
  await check()
  const of = async (userId: string) => {
    const [{ status, step, reason }] = await runsOf(ws, id, userId)
    return [status, step, reason]
  }
  assert.deepEqual(
    [await of('U'), await of('U2')],
    [
      ['active', 'after', null],
      ['exited', 'out', 'exit'],
    ],
  )
  assert.equal((await messages(ws)).length, 1)
})

test('M-JRN-14 G-58 a journey that is not active takes and moves nobody', async () => {
  const ws = await shop()
  const { id } = await makeJourney(ws.admin, {
    trigger: { type: 'event', eventType: 'SIGN_IN' },
    steps: [wait(1), IN_APP, wait(1), IN_APP],
  })
  expectStatus(await ws.admin.post(`/journeys/${id}/enroll`, { userIds: ['U'] }), 409)
  const signIn = async () => expectStatus(await ws.app.post('/track-event', { deviceId: 'D', type: 'sign_in' }), 202)
  await signIn()
  await check()
  assert.deepEqual(await runsOf(ws, id), [])
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await check()
  assert.deepEqual(await runsOf(ws, id), [], 'what happened before is not taken')
  await enroll(ws, id, ['U'])
  await check()
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  expectStatus(await ws.admin.post(`/journeys/${id}/enroll`, { userIds: ['U'] }), 409)
  await advance(120)
  await check()
  assert.equal((await messages(ws)).length, 0)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await check()
  assert.equal((await messages(ws)).length, 1)
  expectStatus(await setStatus(ws.admin, id, 'draft'), 200)
  await advance(120)
  await check()
  assert.equal((await messages(ws)).length, 1)
})

test('G-57 an active journey is not edited; ids of steps stay; who stands on a removed step leaves', async () => {
  const ws = await shop()
  const made = await makeJourney(ws.admin, { steps: [wait(1), IN_APP] })
  const [first, second] = made.steps.map((step: any) => step.id)
  assert.ok(first && second && first !== second)
  assert.deepEqual([made.status, made.version, made.trigger], ['draft', 1, { type: 'manual' }])
  const put = (body: object) => ws.admin.put(`/journeys/${made.id}`, body)
  const again = expectStatus(await put({ steps: [wait(2), IN_APP, { type: 'exit' }] }), 200).data
  assert.deepEqual(
    again.steps.slice(0, 2).map((step: any) => step.id),
    [first, second],
  )
  expectStatus(await setStatus(ws.admin, made.id, 'active'), 200)
  expectStatus(await put({ name: 'x' }), 409)
  expectStatus(await ws.admin.delete(`/journeys/${made.id}`), 409)
  await enroll(ws, made.id, ['U'])
  await check()
  expectStatus(await setStatus(ws.admin, made.id, 'paused'), 200)
  expectStatus(await put({ steps: [{ ...IN_APP, id: second }] }), 200)
  expectStatus(await setStatus(ws.admin, made.id, 'active'), 200)
  await advance(180)
  await check()
  const [run] = await runsOf(ws, made.id)
  assert.deepEqual([run.status, run.step, run.reason], ['exited', first, 'step_removed'])
  assert.equal((await messages(ws)).length, 0)
  expectStatus(await setStatus(ws.admin, made.id, 'draft'), 200)
  expectStatus(await ws.admin.delete(`/journeys/${made.id}`), 200)
  expectStatus(await ws.admin.get(`/journeys/${made.id}`), 404)
})

test('G-57 admins and editors change journeys, every member reads them', async () => {
  const ws = await shop()
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  const { id } = await makeJourney(editor)
  for (const answer of [
    await viewer.post('/journeys', { name: 'n', trigger: { type: 'manual' }, steps: [] }),
    await viewer.put(`/journeys/${id}`, { name: 'x' }),
    await setStatus(viewer, id, 'active'),
    await viewer.post(`/journeys/${id}/enroll`, { userIds: ['U'] }),
    await viewer.delete(`/journeys/${id}`),
  ])
    expectStatus(answer, 403)
  expectStatus(await setStatus(editor, id, 'active'), 200)
  assert.equal(expectStatus(await viewer.get(`/journeys/${id}`), 200).data.status, 'active')
  assert.deepEqual(
    expectStatus(await viewer.get('/journeys?status=active'), 200).data.journeys.map((one: any) => one.id),
    [id],
  )
  assert.deepEqual(expectStatus(await viewer.get('/journeys?status=draft'), 200).data.journeys, [])
  assert.deepEqual(expectStatus(await viewer.get(`/journeys/${id}/runs`), 200).data.runs, [])
})

test('C-ERASE-01 who is erased is in no journey', async () => {
  const ws = await shop()
  const id = await startJourney(ws)
  await enroll(ws, id, ['U'])
  expectStatus(await erase(ws.app, 'D'), 200)
  await check()
  assert.deepEqual(await runsOf(ws, id), [])
})

test('what a person is in is listed, the newest journey first, and a status is only changed on the version that was read', async () => {
  const ws = await shop()
  const first = await startJourney(ws, { name: 'First', steps: [wait(60)] })
  const second = await startJourney(ws, { name: 'Second', steps: [{ type: 'exit' }] })
  for (const id of [first, second]) await enroll(ws, id, ['U'])
  await check()
  const list = async (query = '') => expectStatus(await ws.admin.get(`/users/U/journeys${query}`), 200)
  const shown = ({ data }: Awaited<ReturnType<typeof list>>) =>
    data.journeys.map(({ journeyId, name, status, waiting, reason }: any) => [journeyId, name, status, waiting, reason])
  const waits = [first, 'First', 'active', true, null]
  const left = [second, 'Second', 'exited', false, 'exit']
  assert.deepEqual(shown(await list()), [left, waits])
  assert.deepEqual(
    expectStatus(await ws.admin.get('/journeys'), 200).data.journeys.map(({ name, people }: any) => [name, people]),
    [
      ['Second', { entered: 1, active: 0 }],
      ['First', { entered: 1, active: 1 }],
    ],
  )
  const page = await list('?limit=1')
  assert.deepEqual([shown(page), page.body.metadata.total], [[left], 2])
  assert.deepEqual(shown(await list(`?limit=1&cursor=${page.body.metadata.nextCursor}`)), [waits])
  expectStatus(await ws.admin.get('/users/nobody/journeys'), 404)
  const to = (version: number) =>
    ws.admin.patch(`/journeys/${first}/status`, { status: 'paused' }, { headers: { 'if-match': `"${version}"` } })
  const { version } = expectStatus(await ws.admin.get(`/journeys/${first}`), 200).data
  expectStatus(await to(version - 1), 412)
  assert.equal(expectStatus(await to(version), 200).data.status, 'paused')
})
