/** Drawing on a server and taking the drawing over, with React 18 and 19, in a project that has the built package (decision 90). */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSdk } from '../support/build.ts'
import { CONFIG, scriptedServer, succeed } from '../support/scripted-server.ts'

const NODE_MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const SDK = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAM = readFileSync(new URL('outside-ssr.mjs.txt', import.meta.url), 'utf8')
const REACTS = {
  18: { react: 'react-18', 'react-dom': 'react-dom-18', scheduler: 'scheduler', 'loose-envify': 'loose-envify', 'js-tokens': 'js-tokens' },
  19: { react: 'react', 'react-dom': 'react-dom', scheduler: 'scheduler' },
}

const dist = await buildSdk()
const folder = mkdtempSync(join(tmpdir(), 'cf-ssr-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const hero = (title: string, version: number) => ({
  key: 'hero',
  name: 'Hero',
  screen: 'home',
  instanceId: 'hero-1',
  version,
  visible: true,
  designType: 'banner',
  values: { '#title': title },
  fields: [{ tag: '#title', type: 'text' }],
})
const catalog = (hello: string) => ({ locale: 'en', strings: { hello }, smartKeys: [], withheldKeys: [], version: '1' })

const server = await scriptedServer()
server.on('/sync', (_request, response) => succeed(response, { blocks: [hero('From the server', 2)], config: CONFIG }))
server.on('/strings', (_request, response) => succeed(response, catalog('Good day {name}')))
const BOOTSTRAP = { sync: { blocks: [hero('Came along', 1)], config: CONFIG }, strings: catalog('Hello {name}') }

function project(react: keyof typeof REACTS): string {
  const path = join(folder, `react-${react}`)
  const modules = join(path, 'node_modules')
  mkdirSync(join(modules, '@contentflow/sdk'), { recursive: true })
  for (const [to, from] of Object.entries(REACTS[react])) {
    // What only one of the two needs is not there for the other.
    cpSync(join(NODE_MODULES, from), join(modules, to), { recursive: true })
  }
  cpSync(dist, join(modules, '@contentflow/sdk/dist'), { recursive: true })
  cpSync(join(SDK, 'package.json'), join(modules, '@contentflow/sdk/package.json'))
  writeFileSync(join(path, 'package.json'), '{"private": true, "type": "module"}')
  writeFileSync(join(path, 'main.mjs'), PROGRAM)
  return path
}

for (const react of [18, 19] as const)
  test(`React ${react} draws on a server, and a page takes it over without a flash, a request before, or a fault`, async () => {
    const cwd = project(react)
    const { version } = JSON.parse(readFileSync(join(cwd, 'node_modules/react/package.json'), 'utf8')) as { version: string }
    assert.match(version, new RegExp(`^${react}\\.`))
    const jsdom = import.meta.resolve('jsdom')
    const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs', jsdom, server.baseUrl, JSON.stringify(BOOTSTRAP)], {
      cwd,
      timeout: 90_000,
    })
    const said = JSON.parse(stdout)
    assert.deepEqual(said.wrong, [])
    assert.match(said.html, /Came along Hello Sara true/)
    assert.match(said.html, /class="[^"]*cf-/, 'the design is drawn on the server too')
    assert.match(said.before, /Came along Hello Sara true/)
    assert.deepEqual([said.requestsOfServer, said.requestsBefore], [0, 0])
    assert.match(said.after, /From the server Good day Sara true/)
    assert.doesNotMatch(said.after, /Came along/)
    assert.deepEqual(
      [said.suspended[0] === '' || said.suspended[0] === 'waiting', said.suspended.at(-1)],
      [true, 'From the server Good day Sara true'],
    )
    assert.ok(
      said.suspended.every((text: string) => !text.includes('hello')),
      'nobody sees a key',
    )
    assert.match(said.drawnWithoutContent, /none Hi Sara false/)
    assert.ok(!said.takenOver.includes('waiting'), said.takenOver.join(' | '))
  })
