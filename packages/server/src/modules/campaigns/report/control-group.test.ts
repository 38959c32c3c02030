/** A share of the people gets nothing of a campaign, so that it is seen what it changes for the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { compareGroups, rateOf } from '@contentflow/core/campaigns/statistics.ts'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { approve, CAMPAIGN, create, launch, read, submit, told } from '../../../../test/builders/campaigns.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import { erase, identify, personRow } from '../../../../test/builders/people.ts'
import { addPeople, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'

const { workspace, ctx, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const USERS = Array.from({ length: 40 }, (_, n) => `U${n}`)
const deviceOf = (user: string) => `D ${user}`
const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const statisticsOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/campaigns/${id}/statistics`), 200).data
const isShown = async (ws: Workspace, user: string) =>
  expectStatus(await ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': deviceOf(user) } }), 200).data.length > 0
const hasMessage = async (ws: Workspace, user: string) => (await ws.blocks(deviceOf(user))).some(({ key }) => key === 'journey_message')

/** People who may be written to over every channel, each on a device of their own. */
async function shop() {
  const ws = await workspace()
  await addPeople(ws, USERS)
  for (const user of USERS) await identify(ws.app, deviceOf(user), user)
  return { ws, editor: await ws.editor() }
}

/** Those of the users who are left out. */
async function heldBack(ws: Workspace, id: string, percent: number): Promise<Set<string>> {
  const held = new Set<string>()
  for (const user of USERS) if (isInControlGroup(percent, (await personRow(ctx, ws.id, user))?.id, id, hash32)) held.add(user)
  assert.ok(held.size > 0 && held.size < USERS.length)
  return held
}

test('G-73 M-DISP-07 whoever is in the control group gets nothing of it: no message, none in the app, no placement', async () => {
  const { ws, editor } = await shop()
  const push = await openPush()
  await push.connect(ws.admin)
  const { id } = await launch(ws, editor, {
    content: { en: { title: 'Hello', body: 'x' } },
    dispatchChannels: ['push', 'in_app'],
    controlPercent: 50,
  })
  await work()
  const held = await heldBack(ws, id, 50)
  const reached = USERS.filter((user) => !held.has(user))
  assert.deepEqual(push.tokens().toSorted(), reached.map((user) => `token-${user}`).toSorted())
  const { push: sums } = expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data.channels
  assert.deepEqual([sums.sent, sums.skipped], [reached.length, { control_group: held.size }])
  for (const user of USERS) {
    // Twice: the same for the same person each time.
    for (const again of [1, 2]) {
      assert.equal(await isShown(ws, user), !held.has(user), `${user} ${again}`)
      assert.equal(await hasMessage(ws, user), !held.has(user), `${user} ${again}`)
    }
    const said = expectStatus(await ws.admin.get(`/campaigns/${id}/explain?userId=${user}`), 200).data
    assert.equal(said.isInControlGroup, held.has(user))
    assert.deepEqual(
      said.channels.map(({ because }: any) => because),
      held.has(user) ? ['control_group', 'control_group'] : ['sent', 'shown'],
    )
  }
  // Another device of the same person is the same person.
  const [someone = ''] = held
  await identify(ws.app, 'another', someone)
  const other = await ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': 'another' } })
  assert.deepEqual(expectStatus(other, 200).data, [])
  // Whoever names no device cannot be told apart, and is shown what everybody is.
  assert.equal(expectStatus(await ws.app.post('/campaigns', {}), 200).data.length, 1)
  const rows = await ctx.db.selectFrom('in_app_messages').select('profile_id').where('workspace_id', '=', ws.id).execute()
  assert.equal(rows.length, reached.length)
})

test('what would be sent says so before, and who is barred by something else is barred by that', async () => {
  const { ws } = await shop()
  const push = await openPush()
  await push.connect(ws.admin)
  const content = { en: { title: 'Hi', body: 'x' } }
  const { id } = await create(ws.admin, { content, dispatchChannels: ['push'], controlPercent: 50 })
  const held = await heldBack(ws, id, 50)
  const [first = ''] = held
  await addPeople(ws, [first], () => ({ consent: { push: false } }))
  const { push: channel } = expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data.channels
  assert.deepEqual([channel.reachable, channel.skipped], [USERS.length - held.size, { control_group: held.size - 1, noConsent: 1 }])
  const because = async (user: string) =>
    expectStatus(await ws.admin.get(`/campaigns/${id}/explain?userId=${user}`), 200).data.channels[0].because
  assert.equal(await because(first), 'campaign_not_active')
  expectStatus(await submit(await ws.editor(), id), 200)
  expectStatus(await approve(ws.admin, id, { activateTarget: 'live' }), 200)
  await work()
  assert.equal(await because(first), 'noConsent')
})

test('G-73 conversions of those who are left out stand beside those it came to, each person once', async () => {
  const { ws, editor } = await shop()
  const { id } = await launch(ws, editor, { controlPercent: 50 })
  const other = await launch(ws, editor, { name: 'Without' })
  const held = await heldBack(ws, id, 50)
  const buy = (user: string) => track(ws.app, deviceOf(user), [{ type: 'purchase' }, { type: 'purchase' }, { type: 'screen_view' }])
  const [early = ''] = USERS
  // Before their app asked, it is nothing that the campaign could have changed.
  await buy(early)
  await rollUp(operator)
  for (const user of USERS) assert.equal(await isShown(ws, user), true, 'the other campaign')
  const buyers = USERS.filter((user, n) => n % (held.has(user) ? 4 : 2) === 1)
  for (const user of buyers) await buy(user)
  await rollUp(operator)
  await rollUp(operator)
  const groupOf = (isHeld: boolean) => {
    const [people, converted] = [USERS, buyers].map((users) => users.filter((user) => held.has(user) === isHeld).length) as [number, number]
    return { people, converted, conversionRate: rateOf({ seen: people, done: converted }) }
  }
  const [reached, control] = [groupOf(false), groupOf(true)]
  const shares = Object.entries({ reached, control }).map(([name, { people, converted }]) => ({ id: name, seen: people, done: converted }))
  const { controlGroup } = await statisticsOf(ws, id)
  assert.deepEqual(controlGroup, { percent: 50, reached, control, conversions: compareGroups(shares) })
  assert.equal('controlGroup' in (await statisticsOf(ws, other.id)), false)
  // Once it is over, nothing that anybody does is because of it; and who is erased counts no more.
  expectStatus(await ws.admin.patch(`/campaigns/${id}/status`, { status: 'completed' }), 200)
  const late = USERS.find((user) => held.has(user) && !buyers.includes(user)) ?? ''
  await buy(late)
  await rollUp(operator)
  assert.deepEqual((await statisticsOf(ws, id)).controlGroup.control, control)
  await erase(ws.app, deviceOf(late))
  assert.equal((await statisticsOf(ws, id)).controlGroup.control.people, control.people - 1)
})

test('G-73 of a campaign that only sends messages, those who are written to are compared, and nobody who just came by', async () => {
  const { ws, editor } = await shop()
  const push = await openPush()
  await push.connect(ws.admin)
  const silent = USERS.slice(0, 10)
  await addPeople(ws, silent, () => ({ consent: { push: false } }))
  const content = { en: { title: 'Hi', body: 'x' } }
  const { id } = await launch(ws, editor, { content, dispatchChannels: ['push'], controlPercent: 50 })
  await work()
  for (const user of USERS) await ws.blocks(deviceOf(user))
  const held = await heldBack(ws, id, 50)
  const { reached, control } = (await statisticsOf(ws, id)).controlGroup
  const counted = (isHeld: boolean) => USERS.filter((user) => !silent.includes(user) && held.has(user) === isHeld).length
  assert.deepEqual([reached.people, control.people], [counted(false), counted(true)])
})

test('G-50 the control group is read, kept and taken back; without one nothing is another', async () => {
  const ws = await workspace()
  for (const controlPercent of [-1, 51, 1.5, '10', null])
    expectStatus(await ws.admin.post('/campaigns', { ...CAMPAIGN, controlPercent }), 400)
  const { id } = await create(ws.admin, { controlPercent: 0 })
  assert.equal('controlPercent' in (await read(ws.admin, id)), false)
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { controlPercent: 20 }), 200)
  assert.equal((await read(ws.admin, id)).controlPercent, 20)
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { name: 'Other' }), 200)
  assert.equal((await read(ws.admin, id)).controlPercent, 20)
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { controlPercent: 0 }), 200)
  assert.equal('controlPercent' in (await read(ws.admin, id)), false)
})

test('M-CAMP-33 the control group is part of what is approved: another one is another seal, and waits for an approver', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id, seal } = await launch(ws, editor, { controlPercent: 20 })
  const approved = async () => expectStatus(await ws.admin.get(`/campaigns/${id}/approved`), 200).data.approved
  assert.deepEqual([(await approved()).controlPercent, (await approved()).hash], [20, seal.hash])
  const asked = await editor.put(`/campaigns/${id}`, { controlPercent: 0 })
  assert.deepEqual(told(asked), [202, undefined])
  assert.equal((await read(ws.admin, id)).controlPercent, 20)
  const path = `/campaigns/${id}/edit-requests`
  assert.deepEqual(expectStatus(await ws.admin.get(path), 200).data.editRequests[0].changes, { controlPercent: 0 })
  expectStatus(await ws.admin.post(`${path}/${asked.data.editRequestId}/approve`, {}), 200)
  const after = await read(ws.admin, id)
  assert.equal('controlPercent' in after, false)
  assert.notEqual(after.seal.hash, seal.hash)
  assert.equal('controlPercent' in (await approved()), false)
})
