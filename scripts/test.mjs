/**
 * Runs the test files: `npm test`, or `npm test -- sync` for those whose path has that word. Prepares one migrated
 * database that each test file starts from a copy of. TEST_DATABASE_URL and TEST_REDIS_URL run the same tests on
 * PostgreSQL and Redis; `--on=embedded --on=postgres` on both in one run. Of the server, the tests that open a database run on
 * each. What core decides and a browser shows is the same on every database: when all files run, those tests run once, on
 * PostgreSQL when it is there, which takes less of the processor, and on a cluster not at all.
 *
 * When all files run, those of a folder of sources are gathered in one process, one after another: each then finds the code
 * compiled. `--together` gathers those that are named as well.
 *
 * With CI=true a file that fails is run once more, alone. `--storm` runs every file twice on a machine that is kept busy.
 */
import { fork, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { isBuilt } from './build-stamp.mjs'
import { runFiles } from './run-files.mjs'

/** More than this many that passed only when run alone, and the run fails. */
const MAX_FLAKY = 2
/** When more fail than this, it is not for the load: they are not run once more. */
const MAX_AGAIN = 8
/** Of a run of at least so many processes, those that took longest are named. */
const [MANY, LONGEST] = [50, 10]
/** A storm leaves a process a third of its time. */
const STORM_PATIENCE = 3
/** Test files of one folder that share a process. */
const TOGETHER = 8

/** A tenth of the time of a disk for copying the database that a file starts from, which is a file's longest wait. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 8e9

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    on: { type: 'string', multiple: true },
    storm: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
  },
})
const databases = values.on ?? [process.env['TEST_DATABASE_URL'] ? 'postgres' : 'embedded']
/** Where core, the SDK, the command line and the pages are tested. */
const home = process.env['TEST_CITUS'] === '1' ? undefined : databases.includes('postgres') ? 'postgres' : 'embedded'
const runs = databases.flatMap((database) => gathered(filesFor(database)).map((files) => ({ files, database })))
if (runs.length === 0) {
  process.stderr.write('No test file matches\n')
  process.exit(1)
}

// Tests of pages look at what is built.
if (!isBuilt() && spawnSync('node', ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)

/** All that tests write. */
const place = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'cf-tests-'))
// A test runs the product as somebody else.
chmodSync(place, 0o755)
const environments = new Map(databases.map((database) => [database, environmentOf(database)]))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
try {
  for (const env of environments.values()) makeTemplate(env)
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

/** Longest first, so that the workers end together: whole systems and browsers, then the server, then the rest. */
function filesFor(database) {
  const named = positionals.filter((word) => existsSync(word) && statSync(word).isFile())
  const opens = (file) => /\/start-app\.ts'/.test(readFileSync(file, 'utf8'))
  const belongs = (file) => (file.startsWith('packages/server/') ? database === 'embedded' || opens(file) : database === home)
  const found = globSync('packages/*/{src,test}/**/*.test.ts').filter(
    (file) => positionals.every((word) => file.includes(word)) && (positionals.length > 0 || belongs(file)),
  )
  const rank = (file) => (isOfSystem(file) ? 0 : file.startsWith('packages/server/') ? 1 : 2)
  return named.length > 0 ? named : found.sort().sort((a, b) => rank(a) - rank(b))
}

/** Lists of files, each for one process. What tests a whole system has its own; tests of pages share a server and a browser. */
function gathered(files) {
  if (positionals.length > 0 && !values.together) return files.map((file) => [file])
  const isAlone = (file) => isOfSystem(file) && !file.startsWith('packages/dashboard/')
  const byFolder = Map.groupBy(files, (file) => (isAlone(file) ? file : dirname(file)))
  return [...byFolder.values()].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / TOGETHER) }, (_, i) => list.slice(i * TOGETHER, (i + 1) * TOGETHER)),
  )
}

function isOfSystem(file) {
  return /^packages\/\w+\/test\//.test(file)
}

function environmentOf(database) {
  // Compiled once for all files: half of the time that each needs to start.
  const env = { ...process.env, NODE_NO_WARNINGS: '1', TMPDIR: place, NODE_COMPILE_CACHE: join(place, 'compiled') }
  if (database === 'embedded') for (const name of ['TEST_DATABASE_URL', 'TEST_REDIS_URL']) delete env[name]
  return env
}

function makeTemplate(env) {
  const { status, stdout } = spawnSync('node', ['packages/server/test/template.ts', 'make'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error('The database that tests start from could not be made')
  env.CF_TEST_TEMPLATE = stdout
}

function removeTemplate(env) {
  if (env.CF_TEST_TEMPLATE)
    spawnSync('node', ['packages/server/test/template.ts', 'remove', env.CF_TEST_TEMPLATE], { stdio: 'inherit', env })
}

async function once() {
  const workers = availableParallelism()
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
