/**
 * Both packages as `npm pack` makes them: what is in them, what tools that judge packages say, and a project outside of
 * this repository that installs, compiles and runs them, with React 18 and 19, by `import` and by `require`.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { scriptedServer, succeed, CONFIG, type ScriptedServer } from './support/scripted-server.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NODE_MODULES = join(ROOT, 'node_modules')
const TSC = join(NODE_MODULES, 'typescript/bin/tsc')
const APP = readFileSync(new URL('outside-app.tsx.txt', import.meta.url), 'utf8')
const CONTENT = readFileSync(join(ROOT, 'packages/cli/test/golden/content.ts.txt'), 'utf8')

/** Which of the installed packages an app with this React has. */
const REACTS = {
  18: { react: 'react-18', 'react-dom': 'react-dom-18', '@types/react': 'types-react-18' },
  19: { react: 'react', 'react-dom': 'react-dom', scheduler: 'scheduler', '@types/react': '@types/react' },
}
/** Of the types of React. */
const TYPES = { csstype: 'csstype', '@types/prop-types': '@types/prop-types' }

type Done = { status: number | null; out: string }

const folder = mkdtempSync(join(tmpdir(), 'cf-package-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** npm of the machine, on the Node that runs the tests, without a network. */
function run(cwd: string, command: string, ...args: string[]): Done {
  const env = {
    ...process.env,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
  }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { status, out: stdout + stderr }
}

function must(done: Done): string {
  assert.equal(done.status, 0, done.out)
  return done.out
}

/** The packed file, and the folder it is unpacked to. */
function pack(name: string): { file: string; unpacked: string } {
  const into = join(folder, name)
  mkdirSync(into)
  const packed = must(run(ROOT, 'npm', 'pack', '--silent', '--pack-destination', into, '-w', `packages/${name}`)).trim()
  must(run(into, 'tar', 'xzf', packed))
  return { file: join(into, packed), unpacked: join(into, 'package') }
}

const sdk = pack('sdk')
const cli = pack('cli')

for (const [name, { file, unpacked }] of Object.entries({ sdk, cli })) {
  test(`publint has nothing to say about the packed ${name}`, async () => {
    const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(file)).buffer }, strict: true })
    assert.deepEqual(messages, [])
  })

  test(`the packed ${name} has its licence and source maps, no tests, and every link of its pages leads to a page of it`, () => {
    const files = must(run(unpacked, 'find', '.', '-type', 'f'))
      .trim()
      .split('\n')
    assert.equal(readFileSync(join(unpacked, 'LICENSE'), 'utf8'), readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    for (const path of files.filter((each) => /\.c?js$/.test(each))) {
      const { sourcesContent } = JSON.parse(readFileSync(join(unpacked, `${path}.map`), 'utf8')) as { sourcesContent: unknown[] }
      assert.ok(sourcesContent.length > 0 && sourcesContent.every((text) => typeof text === 'string'), path)
    }
    assert.deepEqual(
      files.filter((path) => /\.test\.|\/test\/|\/src\//.test(path)),
      [],
    )
    for (const page of files.filter((path) => /README|docs\//.test(path))) {
      const text = readFileSync(join(unpacked, page), 'utf8')
      for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
        assert.ok(files.includes(`./${posix.join(posix.dirname(page), link)}`), `${page}: ${link}`)
    }
  })
}

test('every way of resolving the packed SDK finds its types, and they are of the module that is found', async () => {
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(sdk.file))))
  assert.ok(checked.types)
  // Resolution of before 2019 knows no `exports`, so no styles either.
  const problems = checked.problems.filter(
    (each) => !('entrypoint' in each && each.entrypoint.endsWith('css') && each.resolutionKind === 'node10'),
  )
  assert.deepEqual(problems, [])
})

/** An empty project with both packages installed and one React. */
function project(react: keyof typeof REACTS): string {
  const path = join(folder, `app-${react}`)
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), '{"private": true, "type": "module"}')
  must(run(path, 'npm', 'install', '--ignore-scripts', sdk.file, cli.file))
  for (const [to, from] of Object.entries({ ...REACTS[react], ...TYPES }))
    cpSync(join(NODE_MODULES, from), join(path, 'node_modules', to), { recursive: true })
  return path
}

const KINDS = {
  bundler: { options: { module: 'ESNext', moduleResolution: 'Bundler' }, type: 'module' },
  'node16 import': { options: { module: 'Node16', moduleResolution: 'Node16' }, type: 'module' },
  'node16 require': { options: { module: 'Node16', moduleResolution: 'Node16' }, type: 'commonjs' },
}

/** Compiles the app into a folder of its own, whose package says which modules it has. */
function compile(app: string, kind: keyof typeof KINDS, text: string): Done & { place: string } {
  const { options, type } = KINDS[kind]
  const place = join(app, kind.replace(' ', '-'))
  mkdirSync(place, { recursive: true })
  const files = {
    'package.json': JSON.stringify({ type }),
    'content.d.ts': CONTENT,
    'app.tsx': text,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        jsx: 'react-jsx',
        target: 'ES2022',
        lib: ['ES2022', 'DOM'],
        types: [],
        outDir: 'out',
      },
      files: ['app.tsx'],
    }),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content)
  return { place, ...run(place, process.execPath, TSC, '-p', '.') }
}

/** Runs what was compiled: asks the server, then draws what came. */
const MAIN = `
const { renderToString } = await import('react-dom/server')
const { createElement } = await import('react')
const { App, makeClient, filled, VERSION } = await import(process.argv[1])
const stored = new Map()
const client = makeClient(process.argv[2], { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => void stored.set(key, text) })
client.start()
await client.sync()
console.log(renderToString(createElement(App, { client })).replaceAll(/<!--.*?-->/g, ''))
console.log(filled, VERSION)
client.stop()
`

/** In a process of its own, while the server answers in this one. */
async function runMain(place: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', MAIN, join(place, 'out/app.js'), server.baseUrl],
    { cwd: place },
  )
  return stdout
}

function block(key: string, values: object) {
  return {
    key,
    name: key,
    screen: 'home',
    instanceId: key,
    version: 1,
    values,
    fields: Object.keys(values).map((tag) => ({ tag, type: tag === '#price' ? 'number' : 'text' })),
    visible: true,
    designType: 'card',
  }
}

async function serve(): Promise<ScriptedServer> {
  const server = await scriptedServer()
  const blocks = [block('hero', { '#title_main': 'Sale begins', '#size': 'small' }), block('product', { '#title': 'Tea', '#price': 5 })]
  server.on('/sync', (_request, response) => succeed(response, { blocks, config: CONFIG }))
  const strings = { 'cart.items': '{count, plural, one {# item} other {# items}} for {name}', 'cart-items': 'Items' }
  server.on('/strings', (_request, response) => succeed(response, { locale: 'en', strings, smartKeys: [], withheldKeys: [], version: '1' }))
  return server
}

const server = await serve()

for (const react of [18, 19] as const) {
  test(`with React ${react} a project outside installs both, compiles strictly and runs`, async () => {
    const app = project(react)
    const version = JSON.parse(readFileSync(join(app, 'node_modules/react/package.json'), 'utf8')) as { version: string }
    assert.match(version.version, new RegExp(`^${react}\\.`))
    for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
      const compiled = compile(app, kind, APP)
      assert.equal(compiled.status, 0, `${kind}\n${compiled.out}`)
      const wrong = compile(app, kind, APP.replaceAll('#price', '#prize').replace(`useBlock('hero')`, `useBlock('her')`))
      assert.match(wrong.out, /"her"/, kind)
      assert.match(wrong.out, /"#prize"/, kind)
    }
    for (const kind of ['node16 import', 'node16 require'] as const) {
      const { place } = compile(app, kind, APP.replace(/^import '.*css'$/m, ''))
      const out = await runMain(place)
      for (const said of ['Sale begins', 'Tea', '3 items for Sara', 'Drawn alone', '2 items 0.1.0'])
        assert.ok(out.includes(said), `${kind}: ${said}\n${out}`)
    }
    assert.match(must(run(app, 'npx', '--offline', 'contentflow', '--version')), /^\d+\.\d+\.\d+\n$/)
  })
}
