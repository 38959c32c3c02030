/**
 * The snippet for React Native in docs/first-app.md, as it stands there: type-checked, and run in a world that lacks what
 * Hermes and React Native lack. No document, no `crypto`, no `TextDecoder`, no plural rules, and a `fetch` that answers
 * when all has arrived. What is drawn is read with React's own renderer for tests.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'vite'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { countsOf, rollUp } from '../../server/test/builders/events.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { sync as syncStrings } from '../../server/test/builders/strings.ts'
import { until } from '../../server/test/harness/until.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const GUIDE = readFileSync(join(ROOT, 'docs/first-app.md'), 'utf8')
const snippetOf = (page: string) => /^```tsx\n(\/\/ App\.tsx\n[^]*?)^```$/m.exec(page)?.[1] ?? assert.fail('no snippet')
const SNIPPET = snippetOf(GUIDE)
/** What the snippet and React are taken from. */
const PLACES = {
  'react-native': 'packages/sdk/test/react-native/react-native.ts',
  '@react-native-async-storage/async-storage': 'packages/sdk/test/react-native/async-storage.ts',
  'expo-crypto': 'packages/sdk/test/react-native/expo-crypto.ts',
  '@contentflow/sdk/react': 'packages/sdk/src/react/index.ts',
  '@contentflow/sdk': 'packages/sdk/src/index.ts',
}
const MAIN = `
import { createElement } from 'react'
import { create } from 'react-test-renderer'
import { changeState } from 'react-native'
import App from './App.tsx'
export const drawn = create(createElement(App))
export { changeState }
`

const { operator, workspace, url } = await startApp()
const folder = mkdtempSync(join(tmpdir(), 'cf-react-native-'))
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
after(() => rmSync(folder, { recursive: true, force: true }))

type Part = { props: { onPress?: () => void; children?: unknown } }
type Running = {
  drawn: { root: { findAllByType(type: string): Part[] }; toJSON(): unknown; unmount(): void }
  changeState(state: string): void
}
type Phone = { texts(): Part[]; reads(): unknown[]; asked: string[]; changeState(state: string): void }

async function makeWorkspace(): Promise<{ ws: Workspace; rename(title: string): Promise<void> }> {
  const ws = await workspace()
  await ws.block('welcome', { fields: [{ id: 't', tag: '#title', type: 'text' }] })
  const { id } = await ws.instance('welcome', { values: { '#title': 'Good to see you' } })
  await syncStrings(ws, { key: 'home.hello', sourceText: 'Hello {name}' })
  const rename = async (title: string) =>
    void expectStatus(await ws.admin.put(`/blocks/welcome/instances/${id}`, { values: { '#title': title } }), 200)
  return { ws, rename }
}

async function bundle(ws: Workspace, snippet = SNIPPET): Promise<string> {
  const placed = snippet.replace('WORKSPACE_cfpk...', ws.live).replace(/http:\/\/127\.0\.0\.1:8080|https:\/\/content\.example/, url)
  writeFileSync(join(folder, 'App.tsx'), placed)
  writeFileSync(join(folder, 'main.tsx'), MAIN)
  const made = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: Object.entries(PLACES).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: join(ROOT, path) })),
      conditions: ['module'],
    },
    build: { write: false, target: 'es2022', lib: { entry: join(folder, 'main.tsx'), formats: ['iife'], name: 'running' } },
  })
  const [first] = Array.isArray(made) ? made : [made]
  const chunk = 'output' in first ? first.output.find(({ type }) => type === 'chunk') : undefined
  return chunk?.type === 'chunk' ? chunk.code : assert.fail('nothing was built')
}

/** Starts the app. `pace` is how fast its time goes; `kept` is what AsyncStorage holds. */
function openApp(code: string, { pace = 1, isOnline = true, kept = new Map<string, string>() } = {}): Phone {
  const asked: string[] = []
  const start = Date.now()
  const world = createContext({
    // React tells there that its renderer for tests is an old one.
    console: { ...console, error: () => {} },
    kept,
    uuid: randomUUID,
    navigator: { product: 'ReactNative' },
    AbortController,
    setTimeout: (run: () => void, milliseconds: number) => setTimeout(run, milliseconds / pace),
    clearTimeout,
    now: () => start + (Date.now() - start) * pace,
    queueMicrotask,
    fetch: async (address: string, init: RequestInit) => {
      asked.push(new URL(address).pathname)
      if (!isOnline) throw new TypeError('Network request failed')
      const { status, ok, headers, ...answer } = await whole(address, init)
      return { status, ok, headers, text: async () => answer.text }
    },
  })
  const { drawn, changeState } = runInContext(
    `globalThis.window = globalThis.global = globalThis; Date.now = now; delete Intl.PluralRules; ${code}; running`,
    world,
  ) as Running
  after(() => drawn.unmount())
  // Until it has been drawn there is no root.
  const texts = () => (drawn.toJSON() === null ? [] : drawn.root.findAllByType('Text'))
  return { texts, reads: () => texts().map(({ props }) => props.children), asked, changeState }
}

/** An answer once all of it is there. */
async function whole(address: string, init: RequestInit) {
  const response = await fetch(address, init)
  const { status, ok, headers } = response
  return { status, ok, headers, text: await response.text() }
}

test('the snippet fits the types of the SDK', () => {
  const check = (text: string) => {
    writeFileSync(join(folder, 'typed.tsx'), text)
    const paths = Object.fromEntries(Object.entries(PLACES).map(([name, path]) => [name, [join(ROOT, path)]]))
    const compilerOptions = { rootDir: '/', paths, jsx: 'react-jsx', lib: ['ES2024', 'DOM'], types: [], allowArbitraryExtensions: true }
    const options = { ...compilerOptions, customConditions: ['source'] }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.base.json'),
        compilerOptions: options,
        files: ['typed.tsx', join(ROOT, 'packages/sdk/src/react/styles.d.ts')],
      }),
    )
    return spawnSync(process.execPath, [join(ROOT, 'node_modules/.bin/tsc'), '-p', folder], { encoding: 'utf8' }).stdout
  }
  assert.equal(check(SNIPPET), '')
  assert.match(check(SNIPPET.replace("useBlock('welcome')", 'useBlock(7)')), /typed\.tsx\(\d+,\d+\): error TS2345/)
  assert.match(check(SNIPPET.replace('storage: AsyncStorage', 'storage: {}')), /error TS2769/)
})

test('it shows block and text, counts what is seen and pressed, and finds by polling what is published; no stream is opened', async () => {
  const { ws, rename } = await makeWorkspace()
  const phone = openApp(await bundle(ws), { pace: 20 })
  await until('block and text', () => phone.reads().join() === 'Hello Sara,Good to see you')
  phone.texts()[1]?.props.onPress?.()
  await until('counted', async () => {
    await rollUp(operator)
    const { impressions, clicks } = await countsOf(ws, 'welcome')
    return impressions === 1 && clicks === 1
  })
  await rename('Good to see you again')
  await until('the new title', () => phone.reads()[1] === 'Good to see you again')
  assert.ok(!phone.asked.some((path) => path.endsWith('/stream')), phone.asked.join())
})

test('who comes back to it sees at once what was published, and who starts it without a network what was known', async () => {
  const { ws, rename } = await makeWorkspace()
  const code = await bundle(ws)
  const kept = new Map<string, string>()
  // Its timers all but stand still, as those of an app that is away.
  const phone = openApp(code, { pace: 0.001, kept })
  await until('block and text', () => phone.reads().join() === 'Hello Sara,Good to see you')
  await rename('Good to see you again')
  phone.changeState('background')
  phone.changeState('active')
  await until('the new title', () => phone.reads()[1] === 'Good to see you again')
  await until('kept', () => [...kept.values()].some((text) => text.includes('Good to see you again')))
  const offline = openApp(code, { isOnline: false, kept })
  await until('what was known', () => offline.reads().join() === 'Hello Sara,Good to see you again')
})

test('the program of docs/app/react-native.md shows the same, and what it has of its own before the first answer', async () => {
  const { ws } = await makeWorkspace()
  const code = await bundle(ws, snippetOf(readFileSync(join(ROOT, 'docs/app/react-native.md'), 'utf8')))
  const offline = openApp(code, { isOnline: false })
  await until('the default text', () => offline.reads().join() === 'Welcome')
  const phone = openApp(code)
  await until('block and text', () => phone.reads().join() === 'Hello Sara,Good to see you')
})
