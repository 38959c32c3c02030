/** The snippets of docs/javascript.md: all compile strictly with the built package, and those for tests and back ends run. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startApp } from '../../../server/test/harness/start-app.ts'

const GUIDE = readFileSync(new URL('../../../../docs/javascript.md', import.meta.url), 'utf8')
const NODE_MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const { workspace, url } = await startApp()

const folder = mkdtempSync(join(tmpdir(), 'cf-javascript-'))
after(() => rmSync(folder, { recursive: true, force: true }))
symlinkSync(NODE_MODULES, join(folder, 'node_modules'))
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')

const snippets = [...GUIDE.matchAll(/```(tsx?)\n([\s\S]*?)```/g)].map(([, language = '', code = ''], index) => {
  // A snippet that says its file is that file, so that others may import it.
  const named = /^\/\/ (?:app\/)?([\w-]+\.tsx?)/.exec(code)?.[1]
  return { file: named ?? `snippet-${index}.${language}`, code }
})

test('every snippet compiles strictly', () => {
  mkdirSync(join(folder, 'src'))
  for (const { file, code } of snippets) writeFileSync(join(folder, 'src', file), code.includes('export ') ? code : `${code}\nexport {}\n`)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'ESNext',
    moduleResolution: 'Bundler',
    jsx: 'react-jsx',
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [],
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const tsc = join(NODE_MODULES, 'typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
  assert.ok(snippets.length >= 7, String(snippets.length))
})

/** Runs a snippet in a process of its own, and returns what it prints. */
async function run(part: string, change: (code: string) => string = (code) => code): Promise<string> {
  const found = snippets.find(({ code }) => code.includes(part)) ?? assert.fail(part)
  const file = join(folder, `run-${part.replaceAll(/\W/g, '')}.ts`)
  writeFileSync(file, change(found.code))
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
  return stdout
}

test('the snippet for tests prints what it says', async () => {
  assert.equal(await run('createTestClient'), 'Hello Sara cta_click\n0 0\n')
})

test('the snippet for back ends reaches the product', async () => {
  const ws = await workspace()
  const { key } = await ws.key('secret', 'live')
  const said = await run('shop.identify', (code) => code.replace('pk_live_…', key).replace('https://content.example', url))
  assert.equal(said, '')
  assert.equal((await ws.read.get('/read/users/sara/segments')).status, 200)
})
