/** One workspace's providers and receivers hang, and it has more to do than anybody: what others have due is done meanwhile. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { BATCH_SIZES } from '../../src/infra/due/batch-size.ts'
import { startDispatches, type Outgoing } from '../../src/modules/sends/index.ts'
import { enqueueWebhook } from '../../src/modules/webhooks/index.ts'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { addChannel } from '../builders/channels.ts'
import { dispatching } from '../builders/dispatches.ts'
import { ready, settled } from '../builders/imports.ts'
import { check, enroll, IN_APP, runsOf, startJourney } from '../builders/journeys.ts'
import { addPeople, openEmail } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { pause, until } from '../harness/until.ts'

const { ctx, operator, workspace } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { campaignOf, pushOf, report } = dispatching({ ctx, operator })

const TOKEN = { access_token: 'token', expires_in: 3_600 }
const TAKEN = { code: '80000000', msg: 'Success', requestId: '1' }

/** Takes every call, in order, and never answers those of a path that says `hang`. It plays a provider of push messages too. */
async function openHalfSilent(t: TestContext) {
  const calls: string[] = []
  const silent = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    request.resume().on('end', () => {
      const isToken = path.startsWith('/oauth2/')
      if (!isToken) calls.push(path)
      if (path.includes('hang')) {
        silent.add(response)
        response.on('close', () => silent.delete(response))
      } else response.end(JSON.stringify(isToken ? TOKEN : TAKEN))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, calls, silent }
}

/** Without waiting for it, as the clock and a nudge do. */
const set = async ({ id }: Workspace, campaign: Outgoing) =>
  ctx.change({ workspaceId: id, actor: 'a' }, (change) => startDispatches(change, campaign))
const people = (count: number) => Array.from({ length: count }, (_, index) => `P${index}`)

test('a campaign over a provider that never answers holds up nobody: not others over the same provider, and no other channel', async (t) => {
  const [noisy, quiet] = [await workspace(), await workspace()]
  const provider = await openHalfSilent(t)
  const email = await openEmail()
  const push = (appId: string) => ({ appId, appSecret: 'secret', baseUrl: provider.url })
  await addChannel(noisy.admin, 'push', 'hms', push('hang'))
  await addChannel(quiet.admin, 'push', 'hms', push('100'))
  await email.connect(noisy.admin)
  await addPeople(noisy, people(600))
  await addPeople(quiet, people(60))
  const [long, short, mails] = [campaignOf(), campaignOf(), campaignOf({ channels: ['email'] })]
  await set(noisy, long)
  await until('calls hang', () => provider.silent.size > 0)
  await set(quiet, short)
  await set(noisy, mails)
  await until('the others have their messages', async () => (await pushOf(quiet, short))?.sent === 60)
  await until('mail goes on', async () => (await report(noisy, mails)).channels['email']?.sent === 600)
  const left = await pushOf(noisy, long)
  assert.equal(left?.sent, 0)
  assert.ok(left.waiting > 0, JSON.stringify(left))
  // Before it was known to hang it was given what one channel may have under way, and no batch behind that.
  const asked = provider.calls.filter((path) => path.includes('hang')).length
  assert.ok(asked <= 2 * 32, `${asked} calls`)
})

test('receivers that hang hold up no other workspace, at the same address neither', async (t) => {
  const [noisy, quiet] = [await workspace(), await workspace()]
  const receiver = await openHalfSilent(t)
  const events = ['campaign.status_changed']
  for (let n = 0; n < 8; n++) expectStatus(await noisy.admin.post('/webhooks', { url: `${receiver.url}/hang/${n}`, events }), 201)
  expectStatus(await quiet.admin.post('/webhooks', { url: `${receiver.url}/quiet`, events }), 201)
  const tell = async ({ id }: Workspace) =>
    ctx.change({ workspaceId: id, actor: 'a' }, (change) =>
      enqueueWebhook(change, 'campaign.status_changed', { campaignId: 'c', name: 'Sale', type: 'promo', from: 'approved', to: 'active' }),
    )
  for (let n = 0; n < 4; n++) await tell(noisy)
  await until('calls hang', () => receiver.silent.size === 4)
  await tell(quiet)
  await until('the other hears of it', () => receiver.calls.includes('/quiet'))
  assert.equal(receiver.calls.indexOf('/quiet'), 4, receiver.calls.join())
})

/** At each step of this name it is asked whether the others are done, and the work held for a moment, so that a turn has few steps. */
function watchSteps(t: TestContext, step: string, isDone: () => Promise<boolean>): boolean[] {
  const seen: boolean[] = []
  ctx.faults.watch(async (point) => {
    if (point !== step) return
    seen.push(await isDone())
    await pause(200)
  })
  t.after(() => ctx.faults.watch(() => {}))
  return seen
}
const stepsAfter = (seen: readonly boolean[]) => seen.filter((isDone) => isDone).length

test('an import with steps without end leaves the turns between to the imports of others', async (t) => {
  const [noisy, quiet] = [await workspace(), await workspace()]
  const size = BATCH_SIZES.enrichedPeople
  const before = { ...size }
  Object.assign(size, { postgres: 5, embedded: 5 })
  t.after(() => Object.assign(size, before))
  const load = async (ws: Workspace, count: number) => {
    await addPeople(ws, people(count))
    return ready(
      ws.admin,
      people(count).map((userId) => [userId, 'x']),
    )
  }
  const [long, short] = [await load(noisy, 150), await load(quiet, 5)]
  const status = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/enrichment/imports/${id}`), 200).data.status
  const seen = watchSteps(t, 'imports: step', async () => (await status(quiet, short)) === 'committed')
  expectStatus(await noisy.admin.post(`/enrichment/imports/${long}/commit`), 202)
  await until('it is written', () => seen.length > 0)
  expectStatus(await quiet.admin.post(`/enrichment/imports/${short}/commit`), 202)
  assert.equal((await settled(noisy.admin, long)).status, 'committed')
  assert.ok(stepsAfter(seen) > 2, `the other was done with ${stepsAfter(seen)} of ${seen.length} steps left`)
})

test('a workspace with many journeys to move leaves the turns between to the journeys of others', async (t) => {
  const [noisy, quiet] = [await workspace(), await workspace()]
  await addPeople(noisy, ['A'])
  await addPeople(quiet, ['B'])
  const steps = [IN_APP]
  for (let n = 0; n < 15; n++) await enroll(noisy, await startJourney(noisy, { name: `J${n}`, steps }), ['A'])
  const journey = await startJourney(quiet, { steps })
  await enroll(quiet, journey, ['B'])
  const seen = watchSteps(t, 'journeys: moved', async () => (await runsOf(quiet, journey))[0]?.status === 'completed')
  await check(operator)
  assert.ok(stepsAfter(seen) > 2, `the other was done with ${stepsAfter(seen)} of ${seen.length} steps left`)
})
