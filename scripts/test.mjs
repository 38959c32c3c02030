/**
 * Runs the test files: `npm test`, or `npm test -- sync` for those whose path has that word. Prepares one migrated
 * database that each test file starts from a copy of. TEST_DATABASE_URL and TEST_REDIS_URL run the same tests on
 * PostgreSQL and Redis; `--on=lane --on=postgres` runs a part of them on the embedded database as well (embedded-lane.mjs),
 * `--on=embedded --on=postgres` all of the server.
 *
 * When all files run, those of a folder of sources are gathered in one process, one after another: each then finds the code
 * compiled. `--together` gathers those that are named as well. `--shard=2/4` runs the second of four parts;
 * `--list` prints the files and their database, and runs none.
 *
 * Files that need a program which is not there and cannot be installed (tools.mjs) are not run, and named at the end;
 * `--without=<Debian package>` leaves them out where it is there.
 *
 * With CI=true a file that fails is run once more, alone. `--storm` runs every file twice on a machine that is kept busy.
 */
import { fork, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isBuilt } from './build-stamp.mjs'
import { runFiles } from './run-files.mjs'
import { opensDatabase, selectRuns, shardOf, withTools } from './select-files.mjs'

/** More than this many that passed only when run alone, and the run fails. */
const MAX_FLAKY = 2
/** When more fail than this, it is not for the load: they are not run once more. */
const MAX_AGAIN = 8
/** Of a run of at least so many processes, those that took longest are named. */
const [MANY, LONGEST] = [50, 10]
/** A storm leaves a process a third of its time. */
const STORM_PATIENCE = 3

/** A tenth of the time of a disk for copying the database that a file starts from, which is a file's longest wait. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 8e9

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    on: { type: 'string', multiple: true },
    storm: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    list: { type: 'boolean', default: false },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const on = values.on ?? [process.env['TEST_DATABASE_URL'] ? 'postgres' : 'embedded']
const selected = selectRuns({ on, words: positionals, isTogether: values.together, isCluster: process.env['TEST_CITUS'] === '1' })
if (selected.length === 0) {
  process.stderr.write('No test file matches\n')
  process.exit(1)
}
const shard = shardOf(selected, values.shard)
if (values.list) {
  const lines = shard.flatMap(({ files, database }) => files.map((file) => `${file} on ${database}\n`))
  await new Promise((resolve) => process.stdout.write(lines.join(''), resolve))
  process.exit()
}
const { runs, leftOut } = withTools(shard, values.without)

// Tests of pages look at what is built.
if (!isBuilt() && spawnSync('node', ['scripts/build.mjs', '--if-changed'], { stdio: 'inherit' }).status !== 0) process.exit(1)

/** All that tests write. */
const place = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'cf-tests-'))
// A test runs the product as somebody else.
chmodSync(place, 0o755)
const environments = new Map(runs.map(({ database }) => [database, environmentOf(database)]))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
try {
  for (const [database, env] of environments)
    if (runs.some((run) => run.database === database && run.files.some(opensDatabase))) makeTemplate(env)
  process.exitCode = (values.storm ? await storm() : await once()) && !stopping.signal.aborted ? 0 : 1
} finally {
  for (const env of environments.values()) removeTemplate(env)
  // A browser that was just ended may still write.
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}

/** Whether programs can be run from there too, and nobody misses the memory. */
function hasRoom(folder) {
  const mount =
    existsSync('/proc/mounts') &&
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.includes(` ${folder} tmpfs `))
  if (!mount || mount.includes('noexec') || freemem() < ROOM_BYTES) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM_BYTES
}

function environmentOf(database) {
  // Compiled once for all files: half of the time that each needs to start.
  const env = { ...process.env, NODE_NO_WARNINGS: '1', TMPDIR: place, NODE_COMPILE_CACHE: join(place, 'compiled') }
  // Of a run that this one is a test of.
  delete env.CF_TEST_TEMPLATE
  if (database === 'embedded') for (const name of ['TEST_DATABASE_URL', 'TEST_REDIS_URL']) delete env[name]
  return env
}

function makeTemplate(env) {
  const { status, stdout } = spawnSync('node', ['packages/server/test/harness/template.ts', 'make'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error('The database that tests start from could not be made')
  env.CF_TEST_TEMPLATE = stdout
}

function removeTemplate(env) {
  if (env.CF_TEST_TEMPLATE)
    spawnSync('node', ['packages/server/test/harness/template.ts', 'remove', env.CF_TEST_TEMPLATE], { stdio: 'inherit', env })
}

async function once() {
  // One more than there are cores: files wait, for their database and their browser, a good part of their time.
  const workers = availableParallelism() + 1
  const started = Date.now()
  const failed = await runAll(runs, workers)
  if (stopping.signal.aborted) {
    process.stdout.write('\nStopped before all test files ran\n')
    return false
  }
  const longest = runs.length < MANY ? [] : runs.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, LONGEST)
  const flaky = []
  if (process.env['CI'] && failed.length <= MAX_AGAIN) {
    if (failed.length > 0) process.stdout.write('\n== once more, alone: what failed\n')
    const again = await runAll(failed, 1)
    flaky.push(...failed.filter((run) => !again.includes(run)))
  }
  const broken = failed.filter((run) => !flaky.includes(run))
  const count = runs.flatMap(({ files }) => files).length
  const lines = [
    ...longest.map((run) => `${Math.round(run.tookMs / 1000)} s ${nameOf(run)}`),
    ...flaky.map((run) => `FLAKY  ${nameOf(run)}: failed (see above), then passed alone`),
    ...broken.map((run) => `FAILED ${nameOf(run)}`),
    ...leftOut.map(
      ({ tool, files }) => `NOT RUN for want of ${tool.programs[0]} (apt-get install -y ${tool.package}): ${files.join(', ')}`,
    ),
    ...(flaky.length > MAX_FLAKY ? [`FAILED for ${flaky.length} flaky test files`] : []),
    `${count - failed.length} of ${count} test files passed, ${flaky.length} flaky, ${broken.length} failed, in ${seconds(started)} s`,
  ]
  process.stdout.write(`\n${lines.join('\n')}\n`)
  return broken.length === 0 && flaky.length <= MAX_FLAKY
}

/** Every file twice, the second time in the opposite order, two for each core and beside one more process a core that only burns. */
async function storm() {
  const cores = availableParallelism()
  const started = Date.now()
  const burners = Array.from({ length: cores }, () => fork('scripts/burn.mjs'))
  const failed = await runAll([...runs, ...runs.toReversed().map((run) => ({ ...run }))], cores * 2, STORM_PATIENCE)
  for (const burner of burners) burner.kill()
  const lines = [...new Set(failed.map(nameOf))].map((name) => `GAVE WAY ${name}`)
  process.stdout.write(
    `\n${[...lines, `${runs.flatMap(({ files }) => files).length} test files twice under load, ${lines.length} gave way, in ${seconds(started)} s`].join('\n')}\n`,
  )
  return failed.length === 0
}

async function runAll(list, workers, patience = 1) {
  return runFiles(list, { workers, patience, signal: stopping.signal, envOf: ({ database }) => environments.get(database), nameOf })
}

function nameOf({ files, database }) {
  return `${files.join(', ')} on ${database}`
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000)
}
