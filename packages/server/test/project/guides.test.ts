/** Every command of the README's tour and of the guides in docs, run as it stands on a server that was just started, with what it printed. */
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readGuide, runGuide } from './guide.ts'
import { freePort, spawnServer, started } from '../harness/server-process.ts'
import { freshDatabase } from '../harness/start-app.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** Of the README only the tour: what the command line does is run by the tests of the command line. */
const GUIDES = new Map([
  ['README.md', (text: string) => /\n## Three minutes with curl\n([^]*?)\n## /.exec(text)?.[1] ?? ''],
  ...['docs/tours.md', 'docs/first-app.md', 'docs/consent-and-law.md', 'docs/mail.md', 'docs/preferences.md', 'docs/access.md'].map(
    (path) => [path, (text: string) => text] as const,
  ),
])

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

for (const [path, partOf] of GUIDES)
  test(`the commands of ${path} run, and what is shown comes`, async () => {
    const database = await freshDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'cf-guide-'))
    const server = spawnServer({ ...database.env, CF_DEMO: 'on', CF_SIGNUP: 'first', ...settingsOf(read(path)) })
    after(async () => {
      server.kill('SIGKILL')
      await server.exit
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    })
    const url = await started(server)
    const printed = (label: string) => new RegExp(`${label} +(\\S+)`).exec(server.output())?.[1] ?? assert.fail(`${label} was not printed`)
    const [mailbox, receiver] = [await freePort(), await freePort()]
    await runGuide(partOf(read(path)), {
      cwd: folder,
      env: {
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        HOME: folder,
        npm_config_offline: 'true',
        npm_config_audit: 'false',
      },
      blanks: {
        KEY: printed('App key \\(live\\)'),
        TEST_KEY: printed('App key \\(test\\)'),
        WRITE_KEY: printed('Write key'),
        READ_KEY: printed('Read key'),
        WORKSPACE: printed('Workspace'),
        PASSWORD: printed('Password'),
        CONTENTFLOW: ROOT,
      },
      replaced: [
        ['http://127.0.0.1:8080', url],
        ['node examples/mailbox.mjs', `PORT=${mailbox} node examples/mailbox.mjs`],
        ['node examples/webhook-receiver.mjs', `PORT=${receiver} node examples/webhook-receiver.mjs`],
        ['2525', mailbox],
        ['9009', receiver],
        ['examples/', `${ROOT}examples/`],
      ],
    })
  })

test('every guide with commands is run', () => {
  const run = new Set([...GUIDES.keys(), 'docs/operations.md'])
  for (const path of globSync('docs/*.md', { cwd: ROOT })) {
    if (readGuide(read(path)).length > 0) assert.ok(run.has(path), `${path} has commands that no test runs`)
  }
})

test('every link between the guides leads somewhere', () => {
  for (const path of ['README.md', ...globSync('docs/*.md', { cwd: ROOT })]) {
    const broken = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, to = '']) => join(dirname(path), to))
      .filter((to) => globSync(to, { cwd: ROOT }).length === 0)
    assert.deepEqual(broken, [], path)
  }
})
