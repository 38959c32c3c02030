/** By the clock alone: what one workspace is long at keeps no moment of another from being looked for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { begin, stage } from '../builders/imports.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const { ctx, workspace } = await startApp({}, { isTimed: true })

test('a planned publication goes live in its moment while an import of another workspace is held up', async (t) => {
  const [noisy, quiet] = [await workspace(), await workspace()]
  const held = Promise.withResolvers<void>()
  t.after(() => held.resolve())
  let isHeld = false
  ctx.faults.watch(async (point) => {
    if (point !== 'imports: step') return
    isHeld = true
    await held.promise
  })
  await addPeople(noisy, ['A'])
  const id = await begin(noisy.admin)
  await stage(noisy.admin, id, [['A', 'x']])
  expectStatus(await noisy.admin.post(`/enrichment/imports/${id}/match`), 202)
  await until('the import is held', () => isHeld)
  // Found by the clock and waiting for its turn, as after a restart.
  const second = await begin(noisy.admin)
  await stage(noisy.admin, second, [['A', 'y']])
  await ctx.db
    .updateTable('imports')
    .set({ status: 'matching', due_at: ctx.clock.now() })
    .where('workspace_id', '=', noisy.id)
    .where('id', '=', second)
    .execute()
  const passes: Promise<void>[] = []
  const run = ctx.due.run
  ctx.due.run = async (kind, pass) => {
    const done = run(kind, pass)
    if (kind === 'imports') passes.push(done)
    return done
  }
  await until('the clock came to the imports', () => passes.length > 0)
  expectStatus(await quiet.write.post('/cards/register', { key: 'promo', seedInstance: false }), 201)
  const promo = expectStatus(await quiet.admin.post('/blocks/promo/instances?draft=true', { title: 'P', values: {} }), 201).data
  const path = `/blocks/promo/instances/${promo.id}`
  expectStatus(await quiet.admin.post(`${path}/publish`, { at: new Date(ctx.clock.ms() + 2_000).toISOString() }), 202)
  await until('it is live', async () => expectStatus(await quiet.admin.get(path), 200).data.live !== null)
  assert.equal(expectStatus(await noisy.admin.get(`/enrichment/imports/${second}`), 200).data.status, 'matching')
})
