/**
 * Runs every test: `npm test`, or `npm test -- sync` for the files whose path has that word. Prepares one
 * migrated embedded database that each test file starts from a copy of. TEST_DATABASE_URL and TEST_REDIS_URL
 * run the same tests on PostgreSQL and Redis. What runs in a browser is the same on every database, so tests of
 * the SDK and the dashboard are left out there.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt } from './build-stamp.mjs'

const words = process.argv.slice(2)
const packages = process.env['TEST_DATABASE_URL'] && words.length === 0 ? '{core,server}' : '*'
const files = globSync(`packages/${packages}/{src,test}/**/*.test.ts`)
  .filter((file) => words.every((word) => file.includes(word)))
  .sort()
if (files.length === 0) {
  process.stderr.write('No test file matches\n')
  process.exit(1)
}

// Tests of pages look at what is built.
if (!isBuilt() && spawnSync('node', ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)

const template = mkdtempSync(join(tmpdir(), 'contentflow-template-'))
process.exitCode = run()
rmSync(template, { recursive: true, force: true })

function run() {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' }
  if (!env.TEST_DATABASE_URL) {
    env.CF_TEST_TEMPLATE = template
    const prepared = spawnSync('node', ['packages/server/test/prepare-template.ts', template], { stdio: 'inherit', env })
    if (prepared.status !== 0) return 1
  }
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
