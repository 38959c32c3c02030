/** Whom a workspace holds out: nothing of campaigns and journeys reaches them, everything else does, and both sides are read each night. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHeldOut, type Holdout } from '@contentflow/core/experiments/holdout.ts'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { launch, create } from '../../../test/builders/campaigns.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { check, enroll, IN_APP, peopleIn, startJourney, wait } from '../../../test/builders/journeys.ts'
import { erase, identify, personRow } from '../../../test/builders/people.ts'
import { addPeople, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { workspace, ctx, operator, advance } = app

const USERS = Array.from({ length: 40 }, (_, n) => `U${n}`)
const deviceOf = (user: string) => `D ${user}`
const dispatch = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const report = async (admin: Client) => expectStatus(await admin.get('/settings/holdout/report'), 200).data
const shown = async (ws: Workspace, user: string) =>
  expectStatus(await ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': deviceOf(user) } }), 200).data.length > 0
const keysOf = async (ws: Workspace, user: string) => new Set((await ws.blocks(deviceOf(user))).map(({ key }) => key))

async function shop(make: () => Promise<Workspace> = workspace) {
  const ws = await make()
  await addPeople(ws, USERS)
  for (const user of USERS) await identify(ws.app, deviceOf(user), user)
  return ws
}

/** Holds out more and more until some of the people are; their user ids. */
async function holdOut(ws: Workspace, startsAt: Date): Promise<Set<string>> {
  const choice = { percent: 20, startsAt: startsAt.toISOString(), endsAt: null }
  const { data } = expectStatus(await ws.admin.put('/settings/holdout', choice), 200)
  const row = await ctx.db.selectFrom('workspaces').select('holdout').where('id', '=', ws.id).executeTakeFirstOrThrow()
  const at = Math.max(startsAt.getTime(), ctx.clock.ms())
  assert.deepEqual(data, { ...choice, since: new Date(Date.parse(data.since)).toISOString() })
  const held = new Set<string>()
  for (const user of USERS) if (isHeldOut(row.holdout as Holdout, (await personRow(ctx, ws.id, user))?.id, at, hash32)) held.add(user)
  // Of forty people, a fifth: that it is none of them happens once in ten thousand times.
  assert.ok(held.size > 0 && held.size < USERS.length)
  return held
}

test('the share is an admin’s to say, and is refused where it cannot be', async () => {
  const ws = await workspace()
  const none = { percent: 0, startsAt: null, endsAt: null, since: null }
  assert.deepEqual(expectStatus(await (await ws.viewer()).get('/settings/holdout'), 200).data, none)
  const right = { percent: 5, startsAt: '2030-01-01T00:00:00Z' }
  expectStatus(await (await ws.editor()).put('/settings/holdout', right), 403)
  for (const [wrong, error] of [
    [{ ...right, percent: 21 }, /percent/],
    [{ percent: 5 }, /startsAt/],
    [{ ...right, startsAt: 'soon' }, /startsAt/],
    [{ ...right, endsAt: '2029-01-01' }, /endsAt must be after startsAt/],
    [{ ...right, salt: 'x' }, /additional properties/],
  ] as const)
    assert.match(expectStatus(await ws.admin.put('/settings/holdout', wrong), 400).body.error, error)
  assert.deepEqual(expectStatus(await ws.admin.get('/settings/holdout'), 200).data, none)
  assert.deepEqual(await report(ws.admin), { since: null, readAt: null, sides: [], conversions: null, value: null, sampleRatio: null })
  const saved = expectStatus(await ws.admin.put('/settings/holdout', right), 200).data
  assert.deepEqual(saved, { percent: 5, startsAt: '2030-01-01T00:00:00.000Z', endsAt: null, since: '2030-01-01T00:00:00.000Z' })
})

test('whoever is held out gets no campaign: no message, none in the app, no placement; content and single messages they get', async () => {
  const ws = await shop()
  const push = await openPush()
  await push.connect(ws.admin)
  await ws.block('hero')
  await ws.instance('hero', { values: { '#title': 'For all' } })
  const held = await holdOut(ws, new Date(ctx.clock.ms() - 1_000))
  const content = { en: { title: 'Hello', body: 'x' } }
  const draft = await create(ws.admin, { content, dispatchChannels: ['push'], controlPercent: 0 })
  const { push: ahead } = expectStatus(await ws.admin.post(`/campaigns/${draft.id}/preview`, {}), 200).data.channels
  assert.deepEqual([ahead.reachable, ahead.skipped], [USERS.length - held.size, { holdout: held.size }])

  const { id } = await launch(ws, await ws.editor(), { content, dispatchChannels: ['push', 'in_app'] })
  await dispatch()
  const reached = USERS.filter((user) => !held.has(user))
  assert.deepEqual(push.tokens().toSorted(), reached.map((user) => `token-${user}`).toSorted())
  const { push: sums } = expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data.channels
  assert.deepEqual([sums.sent, sums.skipped], [reached.length, { holdout: held.size }])
  for (const user of USERS) {
    assert.equal(await shown(ws, user), !held.has(user), user)
    const keys = await keysOf(ws, user)
    assert.deepEqual([keys.has('hero'), keys.has('journey_message')], [true, !held.has(user)], user)
  }
  const [someone = ''] = held
  const because = async (user: string) =>
    expectStatus(await ws.admin.get(`/campaigns/${id}/explain?userId=${user}`), 200).data.channels.map((each: any) => each.because)
  assert.deepEqual(await because(someone), ['holdout', 'holdout'])
  assert.deepEqual(await because(reached[0] ?? ''), ['sent', 'shown'])
  // A message to one person is for them.
  expectStatus(await ws.admin.post('/notifications', { userId: someone, channel: 'push', content: { body: 'yours' } }), 200)
  await dispatch()
  assert.equal(push.tokens().at(-1), `token-${someone}`)
  const people = await ctx.db.selectFrom('campaign_people').select('profile_id').where('workspace_id', '=', ws.id).execute()
  assert.equal(people.length, 0)
})

test('they walk journeys, whose messages count as skipped and never come later; a holdout that begins hides what waits', async () => {
  const ws = await shop()
  const push = await openPush()
  await push.connect(ws.admin)
  const send = { type: 'send', channel: 'push', content: { en: { title: 'Hi', body: 'x' } } }
  const steps = [{ ...IN_APP, id: 'told' }, { ...send, id: 'sent' }, wait(60)]
  const first = await startJourney(ws, { name: 'Before', steps: [IN_APP] })
  await enroll(ws, first, USERS)
  await check(operator)
  const begins = new Date(ctx.clock.ms() + 3_600_000)
  const held = await holdOut(ws, begins)
  const [someone = ''] = held
  assert.equal((await keysOf(ws, someone)).has('journey_message'), true)
  await advance(3_700)
  assert.equal((await keysOf(ws, someone)).has('journey_message'), false)

  const id = await startJourney(ws, { steps })
  await enroll(ws, id, USERS)
  await check(operator)
  await dispatch()
  assert.deepEqual(await peopleIn(ws, id), USERS.toSorted())
  const [told, sent] = expectStatus(await ws.admin.get(`/journeys/${id}/report`), 200).data.steps
  assert.deepEqual([told.entered, told.inApp], [40, { opened: 40 - held.size, ended: 0, skipped: { holdout: held.size } }])
  assert.deepEqual([sent.sends.channels.push.sent, sent.sends.channels.push.skipped], [40 - held.size, { holdout: held.size }])
  // Over: what waited is there again, what was never written stays away.
  const over = { percent: 0, startsAt: null }
  expectStatus(await ws.admin.put('/settings/holdout', over), 200)
  const waiting = (await ws.blocks(deviceOf(someone))).filter(({ key }) => key === 'journey_message')
  assert.equal(waiting.length, 1)
})

test('each night both sides are read: people, converters and value since the start; who is erased is on neither', async () => {
  const ws = await workspaceOverTime(app)
  await shop(async () => ws)
  const held = await holdOut(ws, new Date(ctx.clock.ms() - 1_000))
  const values = new Map(USERS.map((user, n) => [user, n % 3 === 0 ? [10, 2.5 + n] : []]))
  for (const [user, spent] of values)
    if (spent.length > 0)
      await track(ws.app, deviceOf(user), [...spent.map((value) => ({ type: 'purchase', value })), { type: 'click', value: 1_000 }])
  await rollUp(operator)
  assert.equal((await report(ws.admin)).readAt, null)
  const gone = USERS.find((user) => !held.has(user) && (values.get(user)?.length ?? 0) > 0) ?? ''
  expectStatus(await erase(ws.app, deviceOf(gone)), 200)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'erasure' }), 200)
  await advance(86_400 + 3 * 3_600)
  await rollUp(operator)
  const admin = await ws.signIn()
  const read = await report(admin)
  assert.ok(read.readAt !== null && read.since !== null)
  const sideOf = (isHeld: boolean) => {
    const people = USERS.filter((user) => user !== gone && held.has(user) === isHeld)
    const spent = people.map((user) => (values.get(user) ?? []).reduce((sum, value) => sum + value, 0))
    return [people.length, spent.filter((sum) => sum > 0).length, spent.reduce((sum, each) => sum + each, 0)]
  }
  assert.deepEqual(
    read.sides.map(({ side, people, converted, value }: any) => [side, people, converted, value]),
    [
      ['others', ...sideOf(false)],
      ['held_out', ...sideOf(true)],
    ],
  )
  assert.equal(read.conversions.kind, 'too_few')
  // Another share is another comparison: nothing is known of it before its first night.
  const stored = expectStatus(await admin.get('/settings/holdout'), 200).data
  const { since: begun, ...choice } = stored
  const again = expectStatus(await admin.put('/settings/holdout', choice), 200).data
  assert.equal(again.since, begun)
  assert.equal((await report(admin)).readAt, read.readAt)
  const more = expectStatus(await admin.put('/settings/holdout', { ...choice, percent: 10 }), 200).data
  assert.ok(more.since > begun)
  assert.deepEqual(await report(admin), { since: more.since, readAt: null, sides: [], conversions: null, value: null, sampleRatio: null })
})
