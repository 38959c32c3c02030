/** Endpoints through HTTP: who may, what is refused, when the secret is seen. Names lead where the test says; nothing is called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openOutbound } from '../../infra/outbound/outbound.ts'

const { ctx, workspace } = await startApp()
const names: Record<string, string[]> = {
  'shop.example': ['93.184.216.34'],
  'inside.example': ['93.184.216.34', '10.0.0.7'],
  redis: ['172.18.0.3'],
}
ctx.outbound = openOutbound({ isPrivateAllowed: false, metrics: ctx.metrics, resolve: async (name) => names[name] ?? [] })

const EVENTS = ['campaign.approved', 'journey.status_changed']
const HOOK = { url: 'https://shop.example/hook', events: EVENTS }

test('M-HOOK-01 M-HOOK-02 an endpoint is made with its events, and its secret is in that answer and in no other', async () => {
  const { admin, viewer } = await workspace()
  const made = expectStatus(await admin.post('/webhooks', { ...HOOK, description: 'Chat' }), 201).data
  assert.match(made.secret, /^whsec_\S+$/)
  assert.ok(Buffer.from(made.secret.slice(6), 'base64url').length >= 24)
  const { secret, ...rest } = made
  assert.deepEqual([rest.url, rest.events, rest.description, rest.active], [HOOK.url, EVENTS, 'Chat', true])
  const member = await viewer()
  for (const answer of [
    await member.get('/webhooks'),
    await member.get(`/webhooks/${made.id}`),
    await admin.put(`/webhooks/${made.id}`, {}),
  ]) {
    expectStatus(answer, 200)
    assert.ok(!answer.text.includes('whsec_'), answer.text)
  }
  const listed = (await member.get('/webhooks')).data.webhooks[0]
  assert.deepEqual({ ...listed, updatedAt: rest.updatedAt }, rest)
  const stored = await ctx.db.selectFrom('webhook_endpoints').selectAll().where('id', '=', made.id).execute()
  assert.ok(!JSON.stringify(stored).includes(secret) && stored[0]?.secret.startsWith('v1.'), 'it is stored encrypted')
})

test('M-HOOK-03 only these events can be chosen, each counts once, and at least one', async () => {
  const { admin } = await workspace()
  const all = [
    'campaign.status_changed',
    'campaign.submitted_for_review',
    'campaign.approved',
    'campaign.rejected',
    'journey.status_changed',
    'experiment.reading_taken',
    'experiment.sample_ratio_mismatch',
    'experiment.guardrail_harmed',
    'audit.entries',
    'audit.checkpoint',
  ]
  for (const events of [['block.published'], ['webhook.ping'], ['*'], [...all, 'x'], [], 'campaign.approved', null, [null], undefined])
    expectStatus(await admin.post('/webhooks', { ...HOOK, events }), 400)
  assert.deepEqual(expectStatus(await admin.post('/webhooks', { ...HOOK, events: [...all, ...all].toReversed() }), 201).data.events, all)
  const { id } = expectStatus(await admin.post('/webhooks', HOOK), 201).data
  expectStatus(await admin.put(`/webhooks/${id}`, { events: ['block.published'] }), 400)
  expectStatus(await admin.put(`/webhooks/${id}`, { events: [] }), 400)
  assert.equal((await admin.get('/webhooks')).body.metadata.total, 2)
})

test('an address that is not http(s), not public or on a forbidden port is refused, when it is made and when it is changed', async () => {
  const { admin } = await workspace()
  const { id } = expectStatus(await admin.post('/webhooks', HOOK), 201).data
  const refused = [
    'ftp://shop.example/',
    'shop.example',
    '',
    'javascript:alert(1)',
    'https://u:p@shop.example/',
    'http://shop.example:22/',
    'http://127.0.0.1:9000/',
    'http://2130706433/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://localhost.:8080/',
    'http://169.254.169.254/',
    'http://inside.example/',
    'http://redis:6379/',
    `https://shop.example/${'x'.repeat(2_000)}`,
  ]
  for (const url of [...refused, 7, null, undefined]) {
    const answer = expectStatus(await admin.post('/webhooks', { ...HOOK, url }), 400)
    assert.match(answer.body.error, /url/, String(url))
    assert.doesNotMatch(answer.body.error, /172\.18|10\.0\.0/)
    if (url !== undefined) expectStatus(await admin.put(`/webhooks/${id}`, { url }), 400)
  }
  assert.equal((await admin.get(`/webhooks/${id}`)).data.url, HOOK.url)
  // Its name cannot be looked up just now: it may be there when it is needed.
  expectStatus(await admin.post('/webhooks', { ...HOOK, url: 'http://not-yet.example/' }), 201)
})

test('admins change, rotate and delete; others read; the last of an endpoint takes its deliveries along', async () => {
  const { admin, editor, viewer } = await workspace()
  const made = expectStatus(await admin.post('/webhooks', HOOK), 201).data
  const path = `/webhooks/${made.id}`
  for (const member of [await editor(), await viewer()]) {
    for (const answer of [
      await member.post('/webhooks', HOOK),
      await member.put(path, { active: false }),
      await member.delete(path),
      await member.post(`${path}/rotate-secret`, {}),
      await member.post(`${path}/ping`, {}),
      await member.post(`${path}/deliveries/x/resend`, {}),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'ROLE_REQUIRED'])
    expectStatus(await member.get(`${path}/deliveries`), 200)
  }
  const changed = expectStatus(await admin.put(path, { description: 'now', events: ['campaign.rejected'] }), 200).data
  assert.deepEqual([changed.url, changed.events, changed.description], [HOOK.url, ['campaign.rejected'], 'now'])
  const rotated = expectStatus(await admin.post(`${path}/rotate-secret`, {}), 200).data
  assert.match(rotated.secret, /^whsec_\S+$/)
  assert.notEqual(rotated.secret, made.secret)
  expectStatus(await admin.delete(path), 200)
  for (const answer of [
    await admin.get(path),
    await admin.delete(path),
    await admin.put(path, { events: [] }),
    await admin.post(`${path}/ping`, {}),
  ])
    expectStatus(answer, 404)
})

test('a workspace has at most twenty endpoints; one that is off is neither pinged nor sent to again', async () => {
  const { admin } = await workspace()
  for (let i = 0; i < 20; i++) expectStatus(await admin.post('/webhooks', HOOK), 201)
  const refused = expectStatus(await admin.post('/webhooks', HOOK), 409)
  assert.equal(refused.body.code, 'WEBHOOK_LIMIT')
  const page = expectStatus(await admin.get('/webhooks?limit=15'), 200)
  const rest = expectStatus(await admin.get(`/webhooks?limit=15&cursor=${page.body.metadata.nextCursor}`), 200)
  const ids = [...page.data.webhooks, ...rest.data.webhooks].map(({ id }: { id: string }) => id)
  assert.deepEqual([new Set(ids).size, rest.body.metadata.nextCursor], [20, null])
  expectStatus(await admin.put(`/webhooks/${ids[0]}`, { active: false }), 200)
  assert.equal(expectStatus(await admin.post(`/webhooks/${ids[0]}/ping`, {}), 409).body.code, 'WEBHOOK_OFF')
  expectStatus(await admin.post(`/webhooks/${ids[0]}/deliveries/none/resend`, {}), 404)
})
