/** While content cannot be read, each change is tried once; what is tried again is one thing a workspace, however many wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'
import { pause, until } from '../../../../test/harness/until.ts'

const { workspace, url, ctx, fault } = await startApp()

const CHANGES = 20

test('changes that cannot be served yet are tried again together, and served and told once they can', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'first' } })
  await ws.blocks()
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  const failures = async () => (await ctx.metrics.staleServed.get()).values[0]?.value ?? 0
  await fault('upstream', true)
  for (let i = 0; i < CHANGES; i++)
    expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': `text ${i}` } }), 200)
  const before = await failures()
  assert.ok(before >= CHANGES)
  await until('one is tried again', async () => (await failures()) > before)
  await pause(500)
  assert.ok((await failures()) - before < CHANGES / 2, 'they are not all tried again')
  assert.equal((await ws.blocks())[0].values['#title'], 'first', 'what is known is served meanwhile')
  await fault('upstream', false)
  await until('the newest is served', async () => (await ws.blocks())[0].values['#title'] === `text ${CHANGES - 1}`)
  await stream.next()
  stream.close()
})
