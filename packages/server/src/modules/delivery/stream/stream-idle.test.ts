import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, url } = await startApp()

test('C-STREAM-03 an idle stream gets a keep-alive comment within 15 seconds, and still hears what comes after', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const stream = await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
  await stream.until('a keep-alive', () => stream.comments.includes('keep-alive'))
  assert.match(stream.text(), /^: connected\n\n(: keep-alive\n\n)+$/)
  await ws.instance('promo')
  assert.equal((await stream.next()).event, 'block.published')
  stream.close()
})
