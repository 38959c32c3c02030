import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

test('C-SYNC-01 C-SYNC-02 C-SYNC-03 C-SYNC-08 a new workspace answers an empty list with config, an ETag, and 304 to it', async () => {
  const ws = await workspace()
  const first = await ws.app.get('/sync')
  assert.equal(first.status, 200)
  assert.deepEqual(first.data.blocks, [])
  assert.equal(typeof first.data.config, 'object')
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^".+"$/)
  const again = await ws.app.get('/sync', { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
})

test('C-SYNC-04 C-SYNC-09 a publish changes the ETag and an unpublish takes the block away', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const before = (await ws.app.get('/sync')).headers.get('etag') ?? ''
  const instance = await ws.instance('promo', { values: { '#title': 'Hello' } })
  const changed = await ws.app.get('/sync', { headers: { 'if-none-match': before } })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.get('etag'), before)
  assert.deepEqual(
    changed.data.blocks.map((block: any) => block.values),
    [{ '#title': 'Hello' }],
  )
  await ws.admin.post(`/blocks/promo/instances/${instance.id}/unpublish`)
  assert.deepEqual(await ws.blocks(), [])
})
