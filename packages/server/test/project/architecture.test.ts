/**
 * Holds the imports to scripts/boundaries.ts and the tree of ARCHITECTURE.md to the folders. Also the line limit,
 * the one reader of process.env, no circle of modules or of files, and a pure core.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BOUNDARIES } from '../../../../scripts/boundaries.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const MAX_LINES = 400
/** Sources of one folder, tests counted. */
const MAX_FILES = 25

type Source = { path: string; text: string; imports: string[] }

const sources = globSync(['packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.{ts,tsx}'], { cwd: root })
  .filter((path) => !/\.test\.ts$|\.d\.ts$/.test(path))
  .map((path): Source => {
    const text = readFileSync(join(root, path), 'utf8')
    const found = [
      ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm),
      // What is loaded when it is first used is imported too.
      ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
    ]
    return { path, text, imports: found.map((match) => resolve(path, match[1] ?? match[2] ?? '')) }
  })

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('@contentflow/core/')) return specifier.replace('@contentflow/core', 'packages/core/src')
  return specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier
}

const rules = BOUNDARIES.map(({ from, may }) => ({ from: pattern(from), may: may.map(pattern), names: may }))

/** `*` stands for one name and `**` for anything; `core/…` for the sources of that package. */
function pattern(text: string): RegExp {
  const folder = text.startsWith('shop/') ? 'examples' : 'packages'
  const path = /^(core|server|sdk|cli|dashboard|shop)\//.test(text) ? `${folder}/${text.replace('/', '/src/')}` : text
  const source = path.replaceAll('.', '\\.').replaceAll('**', '\u0001').replaceAll('*', '[^/]*').replaceAll('\u0001', '.+')
  return new RegExp(`^${source}$`)
}

test('every import is one that scripts/boundaries.ts allows', () => {
  for (const { path, imports } of sources) {
    const rule = rules.find(({ from }) => from.test(path))
    assert.ok(rule, `${path}: no rule of scripts/boundaries.ts covers it`)
    for (const target of imports) {
      if (dirname(target) === dirname(path) || isOfSameModule(path, target) || rule.may.some((allowed) => allowed.test(target))) continue
      assert.fail(`${path} imports ${target}; its rule in scripts/boundaries.ts allows only\n  ${rule.names.join(', ')}`)
    }
  }
})

test('every rule of scripts/boundaries.ts is about some file', () => {
  const files = [...sources.map(({ path }) => path), 'packages/server/src/main.js']
  const idle = BOUNDARIES.filter((_, index) => !files.some((path) => rules.findIndex(({ from }) => from.test(path)) === index))
  assert.deepEqual(idle, [])
})

/** The folders whose folders all stand in the tree of ARCHITECTURE.md. */
const IN_THE_TREE = ['core', 'server', 'server/modules', 'sdk', 'cli', 'dashboard']

test('the tree of ARCHITECTURE.md names every folder once', () => {
  const named = treeFolders()
  assert.deepEqual(
    named.filter((path, index) => named.indexOf(path) !== index),
    [],
    'named twice',
  )
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
    'named, but not there',
  )
  const folders = IN_THE_TREE.flatMap((parent) => {
    const [name = '', ...below] = parent.split('/')
    return globSync(['packages', name, 'src', ...below, '*/'].join('/'), { cwd: root })
  })
  assert.deepEqual(
    folders.filter((path) => !named.includes(path.replace(/\/$/, ''))),
    [],
    'not named',
  )
})

/** The folders of the tree, as paths: each line that begins with a name and `/`, below the line it is indented under. */
function treeFolders(): string[] {
  const [, tree = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('```')
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name = ''] = /^( *)([a-z][\w/-]*)\/(?: |$)/.exec(line) ?? []
    if (name === '' || indent.length > 6) return []
    above.splice(indent.length / 2, Infinity, name)
    return [above.join('/')]
  })
}

test('modules call each other only through index.ts, and in no circle', () => {
  const edges = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = moduleOf(path)
    if (!from) continue
    for (const target of imports) {
      const to = moduleOf(target)
      if (!to || to === from) continue
      // Pages use parts of each other; only the circle is refused there.
      if (!isPage(path))
        assert.match(target, /\/index\.ts$/, `${path} reaches into ${target}; another module is asked through its index.ts`)
      edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  assert.equal(circleIn(edges), undefined, 'modules call each other in a circle')
})

test('no files import each other in a circle, types included', () => {
  const edges = new Map(sources.map(({ path, imports }) => [path, new Set(imports)]))
  assert.equal(circleIn(edges), undefined)
})

/** The first circle, as a line; undefined when there is none. */
function circleIn(edges: Map<string, Set<string>>): string | undefined {
  const done = new Set<string>()
  const visit = (name: string, path: string[]): string | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name].join(' → ')
    if (done.has(name)) return undefined
    for (const next of edges.get(name) ?? []) {
      const circle = visit(next, [...path, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  return [...edges.keys()].map((name) => visit(name, [])).find((circle) => circle !== undefined)
}

function moduleOf(path: string): string | undefined {
  return /^packages\/(?:server|dashboard)\/src\/modules\/[^/]+(?=\/)/.exec(path)?.[0]
}

function isOfSameModule(path: string, target: string): boolean {
  return moduleOf(path) !== undefined && moduleOf(path) === moduleOf(target)
}

function isPage(path: string): boolean {
  return path.startsWith('packages/dashboard/')
}

test(`no folder has more than ${MAX_FILES} sources`, () => {
  const files = globSync('{packages,examples,scripts,bench}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  const full = [...Map.groupBy(files, (path) => dirname(path))].filter(([, list]) => list.length > MAX_FILES)
  assert.deepEqual(
    full.map(([folder, list]) => `${folder}: ${list.length}`),
    [],
  )
})

/** The floors of content, from the ground up: a file imports from its own floor and those below. */
const CONTENT_FLOORS = ['revisions', 'publication', 'registration', 'overview']
/** A save may overtake a planned publication, in the same transaction. */
const UPWARD = ['packages/server/src/modules/content/revisions/save-instance.ts → publication/overtake.ts']

test('content has floors, and no file imports from a higher one', () => {
  const content = 'packages/server/src/modules/content/'
  const floorOf = (path: string) => (path.startsWith(content) ? CONTENT_FLOORS.indexOf(path.slice(content.length).split('/')[0] ?? '') : -1)
  const upward = sources.flatMap(({ path, imports }) =>
    imports
      .filter((target) => floorOf(path) >= 0 && floorOf(target) > floorOf(path))
      .map((target) => `${path} → ${target.slice(content.length)}`),
  )
  assert.deepEqual(upward, UPWARD)
})

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const files = globSync('{packages,examples,scripts,bench}/**/*.{ts,tsx,css,mjs}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/db/schema.ts'],
  })
  assert.ok(files.length > 50)
  const long = files
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
  assert.deepEqual(long, [])
})

test('only config.ts reads process.env', () => {
  const readers = sources.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
  assert.deepEqual(readers.sort(), [
    'packages/cli/src/main.ts',
    'packages/sdk/src/shell/hints.ts',
    'packages/server/src/config.ts',
    'packages/server/src/serve.ts',
  ])
})

/** Where connections to other machines are opened, and why beside the guard: the operator names these machines, nobody else. */
const CONNECTING: Record<string, string> = {
  'packages/server/src/infra/outbound/outbound.ts': 'the guard itself',
  'packages/server/src/infra/mail/mail.ts': 'the mail server of the settings',
  'packages/server/src/modules/channels/mail.ts': 'the language of mail, over a connection that the guard has made',
  'packages/server/src/modules/media/s3-store.ts': 'the bucket of the settings, which may be on a private network and takes whole files',
  'packages/server/src/infra/kv.ts': 'Redis of the settings',
  'packages/server/src/db/open.ts': 'PostgreSQL of the settings',
  'packages/server/src/infra/signals/notify-carrier.ts': 'PostgreSQL of the settings',
}

test('only the guard opens connections to machines that somebody else names', () => {
  const opens = [
    /^import (?!type\b).*from '(undici|nodemailer|node:(https|http2|tls|dgram)|pg)'/m,
    /(?<!typeof )\bimport\('(@redis\/client|nodemailer)'\)|\brequire\('undici'\)/,
    /^import \{[^}]*(?<!type )\b(request|get|Agent|connect|createConnection|Socket)\b[^}]*\} from 'node:(http|net)'/m,
    // A member of that name in a type stands at the beginning of its line.
    /(?<!^\s*)(?<![.\w])fetch\(|new (WebSocket|EventSource)\(/m,
  ]
  const found = sources.filter(({ path, text }) => path.startsWith('packages/server/') && opens.some((pattern) => pattern.test(text)))
  assert.deepEqual(found.map(({ path }) => path).sort(), Object.keys(CONNECTING).sort())
})

test('bodies are read where they are checked', () => {
  const readers = sources.filter(({ path, text }) => path.startsWith('packages/server/src/modules/') && /\brequest\.body\b/.test(text))
  assert.deepEqual(
    readers.map(({ path }) => path),
    [],
  )
})

test('core is pure: time and chance come in as parameters', () => {
  const impure = /Date\.now\(|new Date\(\)|Math\.random\(/
  const found = sources.filter(({ path, text }) => path.startsWith('packages/core/') && impure.test(text)).map(({ path }) => path)
  assert.deepEqual(found, [])
})

test('nothing is left for later in the code', () => {
  const marked = sources.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path)
  assert.deepEqual(marked, [])
})
