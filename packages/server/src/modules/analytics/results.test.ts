/** What people did with an instance, by the variant and the language they were shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignVariant } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { rollUp, track } from '../../../test/builders/events.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'

const { workspace, operator } = await startApp()

test('events of an instance are counted for the variant and the language of the device, each once', async () => {
  const ws = await workspace()
  const { admin } = ws
  expectStatus(
    await admin.post('/blocks', { key: 'hero', name: 'Hero', fields: [{ id: 'title', type: 'text', label: 'Title', tag: 'title' }] }),
    201,
  )
  const variants = [
    { id: 'a', name: 'A', weight: 3, values: { title: 'A' } },
    { id: 'b', name: 'B', weight: 1, values: { title: 'B' } },
  ]
  const made = expectStatus(await admin.post('/blocks/hero/instances', { title: 'x', values: { title: 'base' }, variants }), 201).data
  expectStatus(await admin.post(`/blocks/hero/instances/${made.id}/publish`, { environment: 'live' }), 200)
  const path = `/blocks/hero/instances/${made.id}/results`
  const none = expectStatus(await admin.get(path), 200).data
  assert.deepEqual([none.total.impressions, none.variants], [0, []])
  const wanted = new Map<string, number[]>()
  for (let n = 0; n < 16; n++) {
    const device = `D${n}`
    const language = n % 2 === 0 ? 'ar' : 'en'
    expectStatus(
      await ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': device, 'accept-language': language }).post('/identify', { consent: true }),
      200,
    )
    expectStatus(await ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': device, 'accept-language': language }).get('/sync'), 200)
    const types = ['impression', 'impression', ...(n % 3 === 0 ? ['click'] : []), 'screen_view']
    await track(
      ws.app,
      device,
      types.map((type) => ({ type, instanceId: made.id })),
    )
    const variant = ['a', 'b'][assignVariant([3, 1], device, made.id, hash32)]
    const [impressions = 0, clicks = 0] = wanted.get(String(variant)) ?? []
    wanted.set(String(variant), [impressions + 2, clicks + (n % 3 === 0 ? 1 : 0)])
    if (n % 5 === 0) await rollUp(operator)
  }
  await track(ws.app, 'D0', [{ type: 'impression', instanceId: 'of nobody' }])
  await rollUp(operator)
  await rollUp(operator)
  const found = expectStatus(await admin.get(path), 200).data
  assert.deepEqual(new Map(found.variants.map((row: any) => [row.variantId, [row.impressions, row.clicks]])), wanted)
  assert.deepEqual([found.total.impressions, found.total.clicks], [32, 6])
  const languages = new Set(found.languages.map((row: any) => row.locale))
  assert.ok(languages.size >= 1)
  assert.equal(expectStatus(await admin.get(`${path}?environment=test`), 200).data.total.impressions, 0)
  assert.equal(expectStatus(await admin.get(`${path}?from=2020-01-01&to=2020-02-01`), 200).data.total.impressions, 0)
  assert.equal((await admin.get(`${path}?from=2020-02-01&to=2020-01-01`)).status, 400)
  assert.equal((await admin.get(`${path}?from=soon`)).status, 400)
  assert.equal((await admin.get('/blocks/hero/instances/no-such/results')).status, 404)
  assert.equal((await (await workspace()).admin.get(path)).status, 404)
})
