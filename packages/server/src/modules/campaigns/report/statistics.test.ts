import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { create, launch } from '../../../../test/builders/campaigns.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import { erase, identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, operator, advance } = await startApp()

const statisticsOf = async (ws: Workspace, id: string, query = '') =>
  expectStatus(await ws.admin.get(`/campaigns/${id}/statistics${query}`), 200).data
const variantsOf = (title: string) => ['a', 'b'].map((id) => ({ id, weight: id === 'a' ? 3 : 1, values: { title: `${title} ${id}` } }))

test('G-73 each device counts once for the variant and the language it is shown, with what it did', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  const content = { en: { title: 'x', variants: variantsOf('en') }, ar: { title: 'x', variants: variantsOf('ar') } }
  const { id } = await launch(ws, await ws.editor(), { content })
  const wanted = new Map<string, number[]>()
  for (let n = 0; n < 24; n++) {
    const device = `D${n}`
    const language = n % 3 === 0 ? 'ar-SA' : 'en'
    expectStatus(
      await ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': device, 'accept-language': language }).post('/identify', { consent: true }),
      200,
    )
    const headers = { 'x-cf-device': device, 'accept-language': language }
    const [item] = expectStatus(await ws.app.post('/campaigns', {}, { headers }), 200).data
    assert.equal(item.content.title, `${language.slice(0, 2)} ${item.variantId}`)
    const types = ['impression', 'impression', ...(n % 2 === 0 ? ['click', 'cta_click'] : []), ...(n % 5 === 0 ? ['purchase'] : [])]
    await track(
      ws.app,
      device,
      types.map((type) => ({ type, campaignId: id })),
    )
    const name = `${item.variantId} ${language.slice(0, 2)}`
    const [seen = 0, clicked = 0, converted = 0] = wanted.get(name) ?? []
    wanted.set(name, [seen + 1, clicked + (n % 2 === 0 ? 1 : 0), converted + (n % 5 === 0 ? 1 : 0)])
    if (n % 7 === 0) await rollUp(operator)
  }
  await rollUp(operator)
  const found = await statisticsOf(ws, id)
  const got = found.languages.map((row: any) => [`${row.variantId} ${row.locale}`, [row.seen, row.clicked, row.converted]])
  assert.deepEqual(new Map(got), wanted)
  assert.deepEqual([found.total.seen, found.total.clicked, found.total.converted, found.total.clickRate.rate], [24, 12, 5, 0.5])
  assert.deepEqual([found.clicks, found.conversions], [{ kind: 'too_few' }, { kind: 'too_few' }])

  // What a device does again is nothing new; a click that comes later is.
  await track(ws.app, 'D0', [
    { type: 'impression', campaignId: id },
    { type: 'click', campaignId: id },
  ])
  await track(ws.app, 'D1', [
    { type: 'click', campaignId: id },
    { type: 'screen_view', campaignId: id },
  ])
  await track(ws.app, 'D2', [{ type: 'impression', campaignId: 'of nobody' }])
  await rollUp(operator)
  const { total } = await statisticsOf(ws, id)
  assert.deepEqual([total.seen, total.clicked, total.converted], [24, 13, 5])
  assert.deepEqual((await statisticsOf(ws, id, '?environment=test')).variants, [])
})

test('who clicks has seen it, and of nobody there is no rate', async () => {
  const ws = await workspace()
  const { id } = await create(ws.admin)
  const { total, variants } = await statisticsOf(ws, id)
  assert.deepEqual(total, { seen: 0, clicked: 0, converted: 0, clickRate: null, conversionRate: null })
  assert.deepEqual(variants, [])
  await identify(ws.app, 'D')
  await track(ws.app, 'D', [{ type: 'banner_click', campaignId: id }])
  await rollUp(operator)
  const [row] = (await statisticsOf(ws, id)).variants
  assert.deepEqual([row.variantId, row.seen, row.clicked, row.clickRate.rate], [null, 1, 1, 1])
  assert.equal((await ws.admin.get('/campaigns/no-such/statistics')).status, 404)
  assert.equal((await ws.admin.get(`/campaigns/${id}/statistics?environment=x`)).status, 400)
  assert.equal((await (await workspace()).admin.get(`/campaigns/${id}/statistics`)).status, 404)
})

test('C-ERASE-07 a device that is erased leaves the sums, and is not noted any more; nor is one whose day is kept no longer', async () => {
  const ws = await workspace()
  const { id } = await create(ws.admin)
  const noted = async () =>
    (await ctx.db.selectFrom('campaign_devices').select('device_id').where('workspace_id', '=', ws.id).orderBy('device_id').execute()).map(
      ({ device_id }) => device_id,
    )
  for (const device of ['D', 'E']) {
    await identify(ws.app, device)
    await track(ws.app, device, [{ type: 'impression', campaignId: id }])
  }
  await rollUp(operator)
  assert.deepEqual(await noted(), ['D', 'E'])
  await erase(ws.app, 'D')
  assert.deepEqual(await noted(), ['E'])
  assert.equal((await statisticsOf(ws, id)).total.seen, 2)
  // Sessions are over by then.
  await advance(402 * 86_400)
  await rollUp(operator)
  assert.deepEqual(await noted(), [])
  const sums = await ctx.db.selectFrom('campaign_counts').select('seen').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(sums, [{ seen: 2 }])
})

test('G-73 the groups are held against their weights, and a verdict says between which bounds the difference lies', async () => {
  const ws = await workspace()
  const content = { en: { title: 'x', variants: variantsOf('en') } }
  const { id } = await launch(ws, await ws.editor(), { content })
  const count = async (variant_id: string, [seen, clicked]: [number, number]) =>
    ctx.db
      .insertInto('campaign_counts')
      .values({ workspace_id: ws.id, campaign_id: id, environment: 'live', locale: 'en', variant_id, seen, clicked, converted: 0 })
      .onConflict((row) =>
        row.columns(['workspace_id', 'campaign_id', 'environment', 'variant_id', 'locale']).doUpdateSet({ seen, clicked }),
      )
      .execute()
  await count('a', [360, 30])
  await count('b', [120, 12])
  assert.equal('sampleRatio' in (await statisticsOf(ws, id)), false, 'fewer than 500 devices')
  await count('a', [3_010, 300])
  await count('b', [990, 120])
  const fair = await statisticsOf(ws, id)
  assert.equal(fair.sampleRatio.isMismatch, false)
  assert.deepEqual(fair.sampleRatio.groups, [
    { variantId: 'a', seen: 3_010, expected: 3_000 },
    { variantId: 'b', seen: 990, expected: 1_000 },
  ])
  assert.equal(fair.clicks.kind, 'open')
  assert.ok(fair.clicks.low < 0 && fair.clicks.high > 0 && fair.clicks.needed > 0 && fair.clicks.p > 0.05)
  await count('b', [990, 180])
  const { clicks } = await statisticsOf(ws, id)
  assert.deepEqual([clicks.kind, clicks.best, clicks.than, clicks.isEarly], ['clear', 'b', 'a', false])
  assert.ok(clicks.low > 0 && clicks.low < 0.082 && clicks.high > 0.082 && clicks.p < 0.05 && clicks.chance === clicks.p)
  // A client that does not report what it shows of b.
  await count('b', [700, 120])
  assert.equal((await statisticsOf(ws, id)).sampleRatio.isMismatch, true)
})
