/** The client contract, checked from outside: the product holds it, and what does not is named. */
import assert from 'node:assert/strict'
import { createServer, request as forward, type Server } from 'node:http'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, openFolder } from './cli.ts'

const { workspace, url } = await startApp()
const PAGE = readFileSync(new URL('../../../docs/another-language.md', import.meta.url), 'utf8')

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

const adapter = (name: string) => `${process.execPath} ${fileURLToPath(new URL(`adapters/${name}`, import.meta.url))}`

for (const name of ['sdk.mjs', 'fetch-alone.ts'])
  test(`a client keeps every rule, through a program that reads commands: ${name}`, async () => {
    const ran = expectExit(await openFolder().run(['conformance', '--client', adapter(name), '--json']), 0)
    const { checks } = JSON.parse(ran.out) as { checks: { name: string; isFine: boolean }[] }
    assert.ok(checks.length >= 20, `${checks.length}`)
    assert.deepEqual(
      checks.filter(({ isFine }) => !isFine),
      [],
    )
    // Whoever writes another client finds each rule on the page, under the name that a failed check has.
    for (const { name: rule } of checks) assert.ok(PAGE.includes(`**${rule}**`), rule)
  })

test('a client that forgets ETags, sends the key in the address and keeps what is gone is told so by the names of the rules', async () => {
  const careless = async (only: string) =>
    expectExit(await openFolder().run(['conformance', '--client', adapter('careless.ts'), '--only', only]), 1).out
  const said = await Promise.all(['the key travels', 'with the ETag', 'missing from an answer'].map(careless))
  assert.match(said[0] ?? '', /^FAIL the key travels in X-CF-Key, never in an address: X-CF-Key is undefined/)
  assert.match(said[1] ?? '', /^FAIL content is asked for with the ETag of the last answer, and 304 keeps it: If-None-Match is undefined/)
  assert.match(said[2] ?? '', /^FAIL a block that is missing from an answer is gone: the answer did not come/)
})

test('a program that is none ends the run in words', async () => {
  const ran = expectExit(await openFolder().run(['conformance', '--client', 'echo hello; cat > /dev/null']), 1)
  assert.match(ran.err, /the program wrote what is no answer: hello/)
})
