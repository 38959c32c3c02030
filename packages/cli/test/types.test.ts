/** Typed code: what is written for each language, and what TypeScript says when a tag is gone. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { dart } from '../src/types/dart.ts'
import { kotlin } from '../src/types/kotlin.ts'
import { makeModel } from '../src/types/model.ts'
import { swift } from '../src/types/swift.ts'
import { typescript } from '../src/types/typescript.ts'
import { expectExit, keysOf, openFolder, type Folder } from './cli.ts'
import { BLOCKS, EVENTS, TEXTS } from './typed-fixture.ts'

const { workspace, url } = await startApp()
const SDK = fileURLToPath(new URL('../../sdk', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))

/** `UPDATE_GOLDEN=1` writes them anew; look at the difference. */
for (const [file, write] of Object.entries({
  'content.ts.txt': typescript,
  'content.swift': swift,
  'content.kt': (model: Parameters<typeof kotlin>[0]) => kotlin(model, 'com.example.content'),
  'content.dart': dart,
})) {
  test(`${file} is what was looked at`, () => {
    const golden = new URL(`golden/${file}`, import.meta.url)
    const code = write(makeModel(BLOCKS, TEXTS, EVENTS))
    if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, code)
    assert.equal(code, readFileSync(golden, 'utf8'))
    // The order in which the server says them changes nothing.
    assert.equal(write(makeModel(BLOCKS.toReversed(), TEXTS.toReversed(), EVENTS.toReversed())), code)
  })
}

test('names are never given twice, and never words of the language', () => {
  const code = swift(makeModel(BLOCKS, TEXTS, EVENTS))
  const names = [...code.matchAll(/public static (?:let|var|func) (\S+?)(?:\(|:| =)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'key')
  assert.equal(new Set(names.slice(0, TEXTS.length)).size, TEXTS.length)
  assert.equal(new Set(names.slice(TEXTS.length)).size, EVENTS.length)
  assert.ok(names.includes('class_') && names.includes('n1st') && names.includes('سلةعنوان') && names.includes('cartItems2'))
})

/** Compiles `app` beside the generated types, with the SDK as it is published. */
function compile(folder: Folder, app: string): { status: number | null; out: string } {
  folder.write('app.ts', app)
  folder.write('tsconfig.json', {
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2024', 'DOM'],
      types: [],
      skipLibCheck: true,
    },
    files: ['app.ts'],
  })
  const { status, stdout } = spawnSync(process.execPath, [TSC, '-p', folder.path], { encoding: 'utf8' })
  return { status, out: stdout }
}

function withSdk(folder: Folder): void {
  folder.write('package.json', { type: 'module' })
  const installed = join(folder.path, 'node_modules/@contentflow/sdk')
  mkdirSync(installed, { recursive: true })
  copyFileSync(join(SDK, 'package.json'), join(installed, 'package.json'))
  cpSync(join(SDK, 'dist/types'), join(installed, 'dist/types'), { recursive: true })
}

const APP = `
import { createClient, numberOf, textOf, type Client } from '@contentflow/sdk'
import type { Blocks, Events, Texts } from './content.js'

const client = createClient<Blocks, Texts, Events>({ key: 'k', baseUrl: 'http://127.0.0.1/sdk/v1' })
const hero = client.block('hero')
if (hero) {
  const title: string = hero.values['#title_main']
  const size: 'small' | 'extra-big' | 'default' | '"quoted" $x' = hero.values['#size']
  for (const item of hero.values['#items'] ?? []) if (item.key === 'product') { const price: number = item.values['#price']; void price }
  textOf(hero, '#title-main')
  client.impression(hero)
  void [title, size]
}
for (const product of client.blocks('product')) numberOf(product, '#price')
client.blocks()
client.block('journey_message')?.values['#anything']
client.t('cart.items', { count: 3, name: 'Sara' })
client.t('cart-items')
client.track('order_completed', { total: 120, items: 2, state: 'paid', placedAt: new Date().toISOString(), cart: { a: 1 }, codes: [] })
client.track('order completed')
client.track('class')
client.track({ type: 'impression', blockKey: 'hero' })
// Wherever a client is wanted, and without types as ever.
const plain: Client = client
plain.block('whatever')?.values['#x']
const untyped = createClient({ key: 'k', baseUrl: 'http://127.0.0.1/sdk/v1' })
untyped.t('anything', { a: 1 })
untyped.track('anything', { a: 1 })
untyped.track('anything')
textOf(untyped.block('any')!, '#any')
createClient<Blocks>({ key: 'k', baseUrl: 'http://127.0.0.1/sdk/v1' }).t('anything')
`

test('an app compiles with the types of its workspace, and a tag that is gone fails by its name', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  withSdk(folder)
  // References to types there are none of are no manifest's business.
  folder.write('manifest.json', { blocks: BLOCKS })
  expectExit(await folder.run(['blocks', 'sync', 'manifest.json']), 0)
  folder.write('texts.json', { strings: TEXTS.map(({ key, sourceText }) => ({ key, sourceText })) })
  expectExit(await folder.run(['strings', 'push', 'texts.json']), 0)
  folder.write('events.json', { types: EVENTS })
  expectExit(await folder.run(['events', 'push', 'events.json']), 0)
  const generate = ['types', '--lang', 'ts', '--out', 'content.d.ts']
  expectExit(await folder.run([...generate, '--check']), 2)
  assert.equal(expectExit(await folder.run(generate), 0).out, 'Wrote content.d.ts\n')
  expectExit(await folder.run([...generate, '--check']), 0)
  assert.equal(folder.read('content.d.ts'), typescript(makeModel(BLOCKS, TEXTS, EVENTS)))
  assert.deepEqual(compile(folder, APP), { status: 0, out: '' })

  for (const [wrong, said] of [
    [`client.t('cart.items')`, /Expected 2 arguments/],
    [`client.t('cart.items', { count: 'three', name: 'Sara' })`, /'string' is not assignable to type 'number'/],
    [`client.t('cart-items', { count: 3 })`, /Expected 1 arguments/],
    [`client.t('cart.item')`, /"cart\.item"/],
    [`client.block('her')`, /"her"/],
    [`if (hero) numberOf(hero, '#prices')`, /"#prices"/],
    [`client.track('order_complete', { total: 120, items: 2 })`, /"order_complete"/],
    [`client.track('order_completed', { total: '120', items: 2 })`, /'string' is not assignable to type 'number'/],
    [`client.track('order_completed', { total: 120 })`, /Property '"items"' is missing|'items' is missing|"items"/],
    [`client.track('order_completed')`, /Expected 2 arguments|TrackedEvent/],
    [`client.track('order_completed', { total: 120, items: 2, state: 'lost' })`, /"lost"/],
    [`client.track('order_completed', { total: 120, items: 2, colour: 'red' })`, /'colour' does not exist/],
    [`client.track('order completed', { total: 120 })`, /Expected 1 arguments/],
  ] as const) {
    const { status, out } = compile(folder, `${APP}\n${wrong}\n`)
    assert.notEqual(status, 0, wrong)
    assert.match(out, said)
  }

  const fields = BLOCKS[0]?.fields.filter(({ tag }) => tag !== '#title_main')
  expectStatus(await ws.write.post('/cards/register', { ...BLOCKS[0], fields }), 201)
  expectExit(await folder.run([...generate, '--check']), 2)
  expectExit(await folder.run(generate), 0)
  const { status, out } = compile(folder, APP)
  assert.notEqual(status, 0)
  assert.match(out, /app\.ts\(\d+,\d+\).*#title_main/s)
  assert.match(out, /Property '#title_main' does not exist/)
})
