/** A row that no version of the server writes, from a hand in the database, fails those who read it and nobody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { launch } from '../../../../test/builders/campaigns.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { until } from '../../../../test/harness/until.ts'

const { ctx, workspace } = await startApp()

test('C-ERR-30 what a read trips over is 500 for this read, and the process goes on', async () => {
  const [broken, other] = [await workspace(), await workspace()]
  const { id } = await launch(broken, await broken.editor())
  const ask = () => broken.app.post('/campaigns', {})
  assert.equal((await ask()).data.length, 1)
  await sql`update campaigns set content = '{"en":{"title":"x","variants":[null]}}' where workspace_id = ${broken.id} and id = ${id}`.execute(
    ctx.db,
  )
  // With it the row is read again.
  await launch(broken, await broken.editor())
  await until('the broken row is read', async () => (await ask()).status === 500)
  for (let times = 0; times < 3; times++) {
    const { status, body } = await ask()
    assert.deepEqual([status, body.success, body.code], [500, false, undefined])
    assert.equal((await other.app.post('/campaigns', {})).status, 200)
    assert.equal((await broken.app.get('/sync')).status, 200)
  }
})
