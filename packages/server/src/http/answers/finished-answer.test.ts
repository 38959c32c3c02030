import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../../../test/harness/raw.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openStream } from '../../../test/harness/streams.ts'

const { workspace, url } = await startApp()

test('answers that are made ahead say that they are what they are said to be, as all others do', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo')
  for (const path of ['/sync', '/blocks/promo', '/strings', '/locales', '/blocks/none'])
    for (let i = 0; i < 2; i++) {
      const answer = await send(url, `/sdk/v1${path}`, { headers: { 'x-cf-key': ws.live } })
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', path)
    }
  const same = await send(url, '/sdk/v1/sync', { headers: { 'x-cf-key': ws.live, 'if-none-match': '*' } })
  assert.deepEqual([same.status, same.headers['x-content-type-options']], [304, 'nosniff'])
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  assert.equal(stream.headers.get('x-content-type-options'), 'nosniff')
  stream.close()
})
