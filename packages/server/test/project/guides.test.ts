/** Every command of the guides in docs, run as it stands on a server that was just started, with what it printed. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readGuide } from './guide.ts'
import { openGuideServer, type GuideServer } from './guide-server.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const GUIDES = [
  'docs/start/three-minutes.md',
  'docs/tours.md',
  'docs/first-app.md',
  'docs/consent-and-law.md',
  'docs/mail.md',
  'docs/preferences.md',
  'docs/access.md',
  'docs/command-line.md',
]
/** Run by a test of its own. */
const RUN_ELSEWHERE = 'docs/operations.md'

/** The pages for readers; decisions are for whoever changes the code. */
const PAGES = globSync('docs/{,app/,reference/,run/,start/,use/}*.md', { cwd: ROOT })

/** The settings in front of `npm start` in a guide. */
function settingsOf(guide: string): Record<string, string> {
  const [, settings = ''] = /^((?:[A-Z_]+=\S+ )+)npm start$/m.exec(guide) ?? []
  return Object.fromEntries(
    settings
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((setting) => setting.split('=') as [string, string]),
  )
}

for (const path of GUIDES)
  test(`the commands of ${path} run, and what is shown comes`, async () => {
    const server = await openGuideServer(settingsOf(read(path)))
    after(server.close)
    await server.run(read(path))
  })

/** The pages by task use names of their own, so that they share a server. */
const SHARING = globSync('docs/{app,run,use}/*.md', { cwd: ROOT })
  .filter((path) => readGuide(read(path)).length > 0)
  .toSorted()
let shared: Promise<GuideServer> | undefined
after(async () => (await shared)?.close())

for (const path of SHARING)
  test(`the commands of ${path} run, on a server that pages share`, async () => {
    shared ??= openGuideServer()
    await (await shared).run(read(path))
  })

test('every guide with commands is run', () => {
  const run = new Set([...GUIDES, ...SHARING, RUN_ELSEWHERE])
  for (const path of PAGES) {
    if (readGuide(read(path)).length > 0) assert.ok(run.has(path), `${path} has commands that no test runs`)
  }
})

test('every page for marketers is there in Arabic too', () => {
  const pages = globSync('docs/use/*.md', { cwd: ROOT })
  const english = pages.filter((path) => !path.endsWith('.ar.md'))
  assert.deepEqual(
    pages.filter((path) => path.endsWith('.ar.md')).toSorted(),
    english.map((path) => path.replace(/\.md$/, '.ar.md')).toSorted(),
  )
})

test('every link between the guides leads somewhere', () => {
  for (const path of ['README.md', ...PAGES]) {
    const broken = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, to = '']) => join(dirname(path), to))
      .filter((to) => globSync(to, { cwd: ROOT }).length === 0)
    assert.deepEqual(broken, [], path)
  }
})
