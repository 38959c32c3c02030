/** Planning comparisons of variants. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

test('a plan says how many devices and days a comparison needs', async () => {
  const ws = await workspace()
  const viewer = await ws.viewer()
  const plan = expectStatus(
    await viewer.post('/experiments/plan', { baseline: 0.05, relativeEffect: 0.2, variants: 2, dailyUnits: 1_000 }),
    200,
  ).data
  assert.deepEqual([plan.perVariant, plan.total, plan.days], [9_428, 18_856, 19])
  assert.ok(plan.smallestIn14Days > 0.2)
  const open = expectStatus(await viewer.post('/experiments/plan', { baseline: 0.5, relativeEffect: 0.05 }), 200).data
  assert.deepEqual([open.perVariant, open.days, open.smallestIn14Days], [7_251, null, null])
})

test('a plan can begin with what a campaign does now', async () => {
  const ws = await workspace()
  const { id } = await launch(ws, await ws.editor())
  const subject = { campaignId: id }
  assert.match(
    expectStatus(await ws.admin.post('/experiments/plan', { subject, relativeEffect: 0.2 }), 400).body.error,
    /nothing can be planned/,
  )
  await ctx.db
    .insertInto('campaign_counts')
    .values({
      workspace_id: ws.id,
      campaign_id: id,
      environment: 'live',
      locale: 'en',
      variant_id: '',
      seen: 1_000,
      clicked: 50,
      converted: 200,
    })
    .execute()
  const clicks = expectStatus(await ws.admin.post('/experiments/plan', { subject, relativeEffect: 0.2 }), 200).data
  assert.deepEqual([clicks.baseline, clicks.perVariant], [0.05, 9_428])
  const conversions = expectStatus(
    await ws.admin.post('/experiments/plan', { subject: { ...subject, metric: 'conversions' }, relativeEffect: 0.1 }),
    200,
  ).data
  assert.deepEqual([conversions.baseline, conversions.perVariant, conversions.days], [0.2, 7_523, 16])
  expectStatus(await (await workspace()).admin.post('/experiments/plan', { subject, relativeEffect: 0.2 }), 404)
})

test('a plan can begin with what the campaigns of the last 30 days say together', async () => {
  const ws = await workspace()
  const ask = async () => ws.admin.post('/experiments/plan', { subject: {}, relativeEffect: 0.2 })
  expectStatus(await ask(), 400)
  const editor = await ws.editor()
  for (const [name, seen, clicked, daysAgo] of [
    ['Fresh', 1_000, 50, 10],
    ['Fresher', 3_000, 350, 20],
    ['Old', 9_000, 9_000, 40],
  ] as const) {
    const { id } = await launch(ws, editor, { name })
    const counts = { environment: 'live' as const, locale: 'en', variant_id: '', seen, clicked, converted: 0 }
    await ctx.db
      .insertInto('campaign_counts')
      .values({ workspace_id: ws.id, campaign_id: id, ...counts })
      .execute()
    const live = new Date(ctx.clock.ms() - daysAgo * 86_400_000)
    await ctx.db.updateTable('campaigns').set({ live_since: live }).where('workspace_id', '=', ws.id).where('id', '=', id).execute()
  }
  const { baseline, dailyUnits } = expectStatus(await ask(), 200).data
  assert.deepEqual([baseline, Math.round(dailyUnits)], [0.1, 125])
})

test('what cannot be planned is refused', async () => {
  const { admin } = await workspace()
  for (const body of [
    {},
    { relativeEffect: 0.2 },
    { baseline: 0.05 },
    { baseline: 0, relativeEffect: 0.2 },
    { baseline: 1, relativeEffect: 0.2 },
    { baseline: 'x', relativeEffect: 0.2 },
    { baseline: 0.6, relativeEffect: 1 },
    { baseline: 0.05, relativeEffect: 0 },
    { baseline: 0.05, relativeEffect: -0.2 },
    { baseline: 0.05, relativeEffect: 0.2, variants: 1 },
    { baseline: 0.05, relativeEffect: 0.2, variants: 21 },
    { baseline: 0.05, relativeEffect: 0.2, variants: 2.5 },
    { baseline: 0.05, relativeEffect: 0.2, dailyUnits: 0 },
    { baseline: 0.05, relativeEffect: 0.2, subject: { campaignId: 'x' } },
    { subject: {}, relativeEffect: 0.2 },
    { baseline: 0.05, relativeEffect: 0.2, of: 'clicks' },
  ])
    expectStatus(await admin.post('/experiments/plan', body), 400)
})
