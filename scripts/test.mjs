/**
 * Runs every test: `npm test`, or `npm test -- sync` for the files whose path has that word. Prepares one
 * migrated database that each test file starts from a copy of. TEST_DATABASE_URL and TEST_REDIS_URL run the same
 * tests on PostgreSQL and Redis. What core decides and a browser shows is the same on every database, so only the
 * tests of the server run there.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt } from './build-stamp.mjs'

const words = process.argv.slice(2)
const packages = process.env['TEST_DATABASE_URL'] && words.length === 0 ? 'server' : '*'
const files = globSync(`packages/${packages}/{src,test}/**/*.test.ts`)
  .filter((file) => words.every((word) => file.includes(word)))
  .sort()
if (files.length === 0) {
  process.stderr.write('No test file matches\n')
  process.exit(1)
}

// Tests of pages look at what is built.
if (!isBuilt() && spawnSync('node', ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)

// Compiled once for all files: half of the time that each needs to start.
const compiled = mkdtempSync(join(tmpdir(), 'contentflow-compiled-'))
const env = { ...process.env, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: compiled }
const template = spawnSync('node', ['packages/server/test/template.ts', 'make'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
  env,
})
process.exitCode = template.status === 0 ? run({ ...env, CF_TEST_TEMPLATE: template.stdout }) : 1
spawnSync('node', ['packages/server/test/template.ts', 'remove', template.stdout], { stdio: 'inherit', env })
rmSync(compiled, { recursive: true, force: true })

function run(env) {
  process.stdout.write(
    `${files.length} test files on ${env.TEST_DATABASE_URL ? 'PostgreSQL' : 'the embedded database'}${env.TEST_REDIS_URL ? ' with Redis' : ''}\n`,
  )
  const args = [
    '--test',
    '--test-concurrency=2',
    '--test-timeout=600000',
    `--test-reporter=${env.CF_TEST_REPORTER ?? 'dot'}`,
    '--test-reporter-destination=stdout',
    ...files,
  ]
  return spawnSync('node', args, { stdio: 'inherit', env }).status ?? 1
}
