/** The examples of the README, run as they stand, in order, against the product itself. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { sync as syncStrings } from '../../server/test/builders/strings.ts'
import { createClient } from '../src/index.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const SOURCE = fileURLToPath(new URL('../src/index.ts', import.meta.url))
const { workspace, url } = await startApp()

const examples = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)

test('C-AUTH-44 samples hold publishable keys only', () => {
  assert.match(README, /_cfpk/)
  assert.doesNotMatch(README, /\b(pk_live_|pk_test_|wk_live_|rk_live_)/)
})

test('every method of the client has an example', () => {
  const client = createClient({ key: 'k', baseUrl: 'http://127.0.0.1/sdk/v1' })
  for (const name of Object.keys(client)) assert.match(README, new RegExp(`client\\.${name}\\b`), name)
})

test('the examples run', async () => {
  const ws = await workspace()
  await ws.block('promo', {
    fields: [
      { id: 'a', tag: '#title', type: 'text' },
      { id: 'b', tag: '#price', type: 'number' },
    ],
  })
  await ws.block('welcome_popup', { designType: 'popup' })
  await ws.instance('promo', { values: { '#title': 'Sale', '#price': 5 } })
  await ws.instance('welcome_popup')
  await syncStrings(ws, { key: 'cart.items', sourceText: '{n, plural, one {# item} other {# items}}' })
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)

  const folder = mkdtempSync(join(tmpdir(), 'cf-readme-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const code = examples
    .join('\n')
    .replaceAll('@contentflow/sdk', SOURCE)
    .replace('WORKSPACE_cfpk...', ws.live)
    .replace('https://content.example/sdk/v1', `${url}/sdk/v1`)
  const said: string[] = []
  const recorder = 'const console = { log: (...values: unknown[]) => void said.push(values.join(" ")) }\nconst said: string[] = []\n'
  writeFileSync(join(folder, 'examples.ts'), `${recorder}${code}\nexport { said }\n`)
  const module = (await import(join(folder, 'examples.ts'))) as { said: string[] }
  said.push(...module.said)
  assert.ok(said.includes('Sale'), said.join('\n'))
  assert.ok(said.includes('Sale 5 false 0'))
  assert.ok(said.some((line) => line.includes('العربية (ar) rtl')))
  assert.deepEqual(
    said.filter((line) => /refused|NETWORK|undefined \d/.test(line)),
    [],
  )
})
