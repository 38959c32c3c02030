/** The program that runs the tests: what a failure under load does to a run, and what is said of it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cf-runner-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A test file that fails its first `failures` runs. */
function testFile(name: string, failures: number): string {
  const path = join(folder, `${name}.test.ts`)
  const runs = JSON.stringify(join(folder, `${name}-runs`))
  writeFileSync(
    path,
    `import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
test('${name} holds', () => {
  appendFileSync(${runs}, 'x')
  assert.ok(readFileSync(${runs}, 'utf8').length > ${failures}, 'the message of ${name}')
})
`,
  )
  return path
}

function run(files: string[], { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {}) {
  // Not seen as a part of this run: a test file started by the test runner reports to it instead of to people.
  const { NODE_TEST_CONTEXT: _, CF_TEST_REPORTER: __, CI: ___, ...rest } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', ...args, ...files], {
    cwd: root,
    env: { ...rest, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { status, text: stdout + stderr, closing: stdout.trim().split('\n').slice(-4).join('\n') }
}

test('a test file that fails in CI and passes alone is listed as flaky, its first failure whole', () => {
  const { status, text, closing } = run([testFile('steady', 0), testFile('shaky', 1)], { env: { CI: 'true' } })
  assert.equal(status, 0, text)
  assert.match(text, /== FAILED .*shaky\.test\.ts.*[^]*✖ shaky holds[^]*the message of shaky/)
  assert.match(closing, /FLAKY .*shaky\.test\.ts/)
  assert.match(closing, /1 of 2 test files passed, 1 flaky, 0 failed/)
})

test('three flaky test files fail the run, and so does one that fails twice', () => {
  const shaky = run([testFile('one', 1), testFile('two', 1), testFile('three', 1)], { env: { CI: 'true' } })
  assert.equal(shaky.status, 1, shaky.text)
  assert.match(shaky.closing, /FAILED for 3 flaky test files\n0 of 3 test files passed, 3 flaky, 0 failed/)
  const broken = run([testFile('broken', 2), testFile('other', 1)], { env: { CI: 'true' } })
  assert.equal(broken.status, 1, broken.text)
  assert.match(broken.closing, /FLAKY .*other\.test\.ts.*\nFAILED .*broken\.test\.ts.*\n0 of 2 test files passed, 1 flaky, 1 failed/)
})

test('outside CI what fails has failed', () => {
  const { status, closing } = run([testFile('shaky', 1)])
  assert.equal(status, 1)
  assert.match(closing, /FAILED .*shaky\.test\.ts.*\n0 of 1 test files passed, 0 flaky, 1 failed/)
})

test('the storm runs each test file twice and says which gave way', () => {
  const { status, text, closing } = run([testFile('steady', 0), testFile('shaky', 1)], { args: ['--storm'] })
  assert.equal(status, 1, text)
  assert.match(text, /the message of shaky/)
  assert.match(closing, /GAVE WAY .*shaky\.test\.ts.*\n2 test files twice under load, 1 gave way/)
})

test('files that share a process run one after another, each with its own hooks, and the one that fails is named', () => {
  const steady = run([testFile('steady', 0), testFile('calm', 0)], { args: ['--together'] })
  assert.equal(steady.status, 0, steady.text)
  assert.match(steady.closing, /2 of 2 test files passed/)
  const one = run([testFile('broken', 9), testFile('whole', 0)], { args: ['--together'] })
  assert.equal(one.status, 1, one.text)
  assert.match(one.closing, /\nFAILED .*broken\.test\.ts on \w+\n1 of 2 test files passed, 0 flaky, 1 failed/)
  assert.doesNotMatch(one.closing, /whole/)
  const shaky = run([testFile('other', 0), testFile('shaky', 1)], { args: ['--together'], env: { CI: 'true' } })
  assert.equal(shaky.status, 0, shaky.text)
  assert.match(shaky.closing, /FLAKY .*shaky\.test\.ts on \w+: [^]*\n1 of 2 test files passed, 1 flaky, 0 failed/)
  assert.doesNotMatch(shaky.closing, /other/)
})

test('of files that share a process each that gives way counts, and so does what did not run because the process ended', () => {
  const three = run([testFile('one', 1), testFile('two', 1), testFile('three', 1)], { args: ['--together'], env: { CI: 'true' } })
  assert.equal(three.status, 1, three.text)
  assert.match(three.closing, /FAILED for 3 flaky test files\n0 of 3 test files passed, 3 flaky, 0 failed/)
  const path = join(folder, 'ends.test.ts')
  writeFileSync(path, `process.kill(process.pid, 'SIGKILL')\n`)
  const ended = run([testFile('broken', 9), path, testFile('behind', 0)], { args: ['--together'] })
  assert.equal(ended.status, 1, ended.text)
  assert.match(ended.closing, /broken[^]*ends\.test\.ts[^]*behind[^]*\n0 of 3 test files passed, 0 flaky, 3 failed/)
})

test('a hook of a file that fails after its tests fails the run, also when others run behind it', () => {
  const path = join(folder, 'hook.test.ts')
  writeFileSync(path, `import { after, test } from 'node:test'\nafter(() => { throw new Error('not closed') })\ntest('holds', () => {})\n`)
  const { status, text } = run([path, testFile('steady', 0)], { args: ['--together'] })
  assert.equal(status, 1, text)
  assert.match(text, /not closed[^]*FAILED .*hook\.test\.ts on \w+\n1 of 2/)
})

test('two shards of a run have each test file once, the same ones each time', () => {
  const files = ['one', 'two', 'three'].map((name) => testFile(name, 9))
  const namesOf = ({ text }: { text: string }) => ['one', 'two', 'three'].filter((name) => text.includes(`FAILED ${join(folder, name)}`))
  const [first, second] = ['1/2', '2/2'].map((shard) => run(files, { args: [`--shard=${shard}`] }))
  assert.deepEqual(
    [first, second].map((shard) => namesOf(shard!)),
    [['one', 'three'], ['two']],
  )
  assert.match(run(files, { args: ['--shard=3/2'] }).text, /--shard takes a part and how many there are, such as 1\/4, not 3\/2/)
})

test('without a program that is not there and may not be installed its files are not run and named, the rest passes', () => {
  // A machine that has Node, npm and git, and no apt-get that this user may call.
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['sh', 'env', 'git']) symlinkSync(`/usr/bin/${name}`, join(bin, name))
  const path = `${join(root, 'node_modules/.bin')}:${bin}`
  const kotlin = 'packages/cli/test/kotlin.test.ts'
  const browser = 'packages/dashboard/test/workspace/docs.test.ts'
  const bare = run([testFile('steady', 0), kotlin, browser], { env: { PATH: path } })
  assert.equal(bare.status, 0, bare.text)
  assert.match(bare.closing, /NOT RUN for want of chromium-headless-shell \(apt-get install -y chromium-headless-shell\): .*docs\.test\.ts/)
  assert.match(
    bare.closing,
    /NOT RUN for want of kotlinc \(apt-get install -y kotlin\): packages\/cli\/test\/kotlin\.test\.ts\n1 of 1 test files passed/,
  )
  const chosen = run([testFile('steady', 0), kotlin], { args: ['--without=kotlin'] })
  assert.match(chosen.closing, /NOT RUN for want of kotlinc .*\n1 of 1 test files passed/)
})

test('the embedded lane is about sixty test files, one or more of each module that has any on a database', () => {
  const listed = (on: string[]) => {
    const { text } = run([], { args: [...on.map((name) => `--on=${name}`), '--list'] })
    const lines = text.trim().split('\n')
    return (database: string) => lines.flatMap((line) => (line.endsWith(` on ${database}`) ? [line.replace(/ on \w+$/, '')] : []))
  }
  const short = listed(['lane', 'postgres'])
  const full = listed(['embedded', 'postgres'])
  const moduleOf = (file: string) => /^packages\/server\/src\/modules\/([\w-]+)\//.exec(file)?.[1]
  const lane = short('embedded')
  assert.ok(lane.length >= 40 && lane.length <= 70, String(lane.length))
  assert.deepEqual(new Set(lane.map(moduleOf)), new Set(full('embedded').map(moduleOf)))
  assert.deepEqual(short('postgres'), full('postgres'))
  const all = listed(['embedded'])('embedded')
  assert.deepEqual(new Set([...lane, ...short('postgres')]), new Set(all))
  assert.deepEqual(
    all.filter((file) => !short('postgres').includes(file)),
    ['packages/server/test/crash/folder-lock.test.ts'],
  )
})
