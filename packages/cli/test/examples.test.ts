/** The commands of the pipelines in examples/ci, run as they stand. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder, type Folder, type Ran } from './cli.ts'

const { workspace, url } = await startApp()
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** As the pipelines run it: each command ends the script when it fails. */
function runShell(folder: Folder, script: string, env: Record<string, string>): Promise<Ran> {
  mkdirSync(join(folder.path, 'bin'), { recursive: true })
  folder.write('bin/contentflow', `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'packages/cli/dist/contentflow.js')}" "$@"\n`)
  chmodSync(join(folder.path, 'bin/contentflow'), 0o755)
  const path = `${join(folder.path, 'bin')}:${process.env['PATH']}`
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder.path,
    env: { PATH: path, HOME: folder.path, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ran: Ran = { code: null, out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.err += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...ran, code })))
}

async function openProject() {
  const ws = await workspace()
  const env = keysOf(url, ws)
  const folder = openFolder(env)
  for (const name of ['content', 'src']) mkdirSync(join(folder.path, name))
  folder.write('content/blocks.json', { blocks: [{ key: 'hero', fields: [{ id: 'a', tag: '#title', type: 'text' }] }] })
  folder.write('content/texts.json', { strings: [{ key: 'home.title', sourceText: 'Welcome' }] })
  return { ws, folder, env }
}

const PIPELINES: Record<string, () => string[]> = {
  'github.yml': () => {
    const { jobs } = parse(read('examples/ci/github.yml')) as { jobs: { content: { steps: { name?: string; run?: string }[] } } }
    return jobs.content.steps.flatMap(({ name, run }) => (run === undefined || name === 'Install' ? [] : [run]))
  },
  'gitlab.yml': () => (parse(read('examples/ci/gitlab.yml')) as { content: { script: string[] } }).content.script,
}

for (const [file, stepsOf] of Object.entries(PIPELINES)) {
  test(`the shell of ${file} declares, and fails when the typed code is of yesterday`, async () => {
    const { ws, folder, env } = await openProject()
    const steps = stepsOf()
    assert.ok(steps.length >= 3)
    const onMain = { ...env, CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' }
    // Nothing was generated yet: the last command says so.
    const first = await runShell(folder, steps.join('\n'), onMain)
    assert.equal(first.code, 2, first.out + first.err)
    assert.match(first.out, /src\/content\.d\.ts is not up to date: run contentflow types/)
    assert.deepEqual(
      expectStatus(await ws.write.get('/cards/sync'), 200).data.blocks.map((block: { key: string }) => block.key),
      ['hero'],
    )
    expectExit(await folder.run(['types', '--lang', 'ts', '--out', 'src/content.d.ts']), 0)
    expectExit(await runShell(folder, steps.join('\n'), onMain), 0)
  })
}
