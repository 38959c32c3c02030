/** The client contract, checked from outside: the product holds it, and what does not is named. */
import assert from 'node:assert/strict'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, openFolder } from './cli.ts'

const { workspace, url } = await startApp()

test('the product holds every check: more than 60 with a test key, and only reads with a live one', async () => {
  const ws = await workspace()
  await ws.block('hero')
  await ws.instance('hero', { values: { '#title': 'There' } })
  const folder = openFolder()
  const ran = expectExit(await folder.run(['conformance', '--base', url, '--json'], { CONTENTFLOW_KEY: ws.test }), 0)
  const { checks } = JSON.parse(ran.out)
  assert.ok(checks.length >= 60, `${checks.length}`)
  const reads = expectExit(await folder.run(['conformance'], { CONTENTFLOW_KEY: ws.live, CONTENTFLOW_URL: `${url}/sdk/v1` }), 0)
  assert.match(reads.out, /^(\d+) of \1 checks hold; writes are tried with a test key\n$/)
  assert.match(expectExit(await folder.run(['conformance', '--base', url]), 1).err, /Set CONTENTFLOW_KEY/)
})

test('a proxy that loses a header, or changes a status, is told so by the name of the check', async () => {
  const ws = await workspace()
  const proxy: Server = createServer((asked, answer) => {
    const passed = forward(url + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      const { etag: _, ...headers } = got.headers
      answer.writeHead(got.statusCode === 403 ? 400 : (got.statusCode ?? 500), headers)
      got.pipe(answer)
    })
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const ran = expectExit(await openFolder().run(['conformance', '--base', base], { CONTENTFLOW_KEY: ws.live }), 1)
  assert.match(ran.out, /FAIL GET \/sync is not sent twice.*: there is no ETag/)
  assert.match(ran.out, /FAIL GET \/locales with the key in the query is 403 SDK_KEY_IN_QUERY: the status is 400, not 403/)
  assert.match(ran.err, /^\d+ checks do not hold/)
})
