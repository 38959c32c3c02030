/** Who judges openings and clicks dies at every step, and who takes them dies right after they are written: each counts once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../builders/builders.ts'
import { launch } from '../builders/campaigns.ts'
import { rollUp } from '../builders/events.ts'
import { identify } from '../builders/people.ts'
import { addPeople, countHits, openEmail } from '../builders/sends.ts'
import { dieAt } from '../harness/die-at.ts'
import { freshDatabase, startOn } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

/** Longer than a lease, and than the time in which hits of a message are gathered. */
const APART = 150
const POINTS = ['claim', 'claimed', 'worked']
const PUBLIC = 'https://flow.example'
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' }
const PEOPLE = ['U', 'V']

const database = await freshDatabase()
const env = {
  ...database.env,
  CF_WEBHOOK_ALLOW_PRIVATE: 'on',
  CF_PUBLIC_URL: PUBLIC,
  CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}
const inbox = await openEmail()
after(() => database.remove())

test('whoever judges responses is killed at every step, and each counts once in the report and in the history of the person', async () => {
  const before = await startOn(database.env, env)
  const member = uniqueEmail()
  const ws = await before.workspace({ email: member })
  await inbox.connect(ws.admin)
  await addPeople(ws, PEOPLE)
  for (const user of PEOPLE) {
    await identify(ws.app, `D ${user}`, user)
    const consent = { deviceId: `D ${user}`, channels: { inApp: true }, topics: { message_tracking: true } }
    expectStatus(await ws.app.post('/consent/full', consent), 200)
  }
  const content = { en: { title: 'Sale', body: 'Now', ctaLabel: 'Look', ctaUrl: 'https://shop.example/offers' } }
  const { id } = await launch(ws, await ws.editor(), { content, dispatchChannels: ['email'] })
  expectStatus(await before.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await before.advance(10)
  before.ctx.due.nudge = () => undefined
  const paths = inbox.mails().map(({ html }) => new RegExp(`href="${PUBLIC}(/r/[^"]+)"`).exec(String(html))?.[1] ?? '')
  assert.equal(paths.length, PEOPLE.length)
  for (const path of paths) assert.equal((await fetch(before.url + path, { headers: BROWSER, redirect: 'manual' })).status, 302)
  await until('the hits are written', async () => (await countHits(before.ctx, ws.id)) === PEOPLE.length)
  await before.stop()

  let seconds = APART
  for (const point of POINTS) {
    await dieAt(env, 'dispatch', `responses: ${point}`, seconds)
    seconds += APART
  }

  const last = await startOn(database.env, env)
  try {
    await last.advance(seconds)
    for (let pass = 0; pass < 2; pass++) expectStatus(await last.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
    await rollUp(last.operator)
    const { token } = expectStatus(
      await clientOf(`${last.url}/api/v1`).post('/auth/login', { email: member, password: PASSWORD }),
      200,
    ).data
    const admin = clientOf(`${last.url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
    const { tracked, clicked, links } = expectStatus(await admin.get(`/campaigns/${id}/responses`), 200).data
    assert.deepEqual([tracked, clicked.people, links.map(({ people, times }: any) => [people, times])], [2, 2, [[2, 2]]])
    for (const user of PEOPLE) {
      const { events } = expectStatus(await admin.get(`/users/${user}/events`), 200).data
      assert.equal(events.filter(({ type }: any) => type === 'message_clicked').length, 1, user)
    }
  } finally {
    await last.stop()
  }
})
