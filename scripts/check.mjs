/** Type check, lint, format and generated files, side by side; prints what failed. */
import { spawn } from 'node:child_process'

const checks = {
  'types: core': ['tsc', '-p', 'packages/core'],
  'types: core tests': ['tsc', '-p', 'packages/core/tsconfig.test.json'],
  'types: server': ['tsc', '-p', 'packages/server'],
  'types: sdk': ['tsc', '-p', 'packages/sdk'],
  'types: cli': ['tsc', '-p', 'packages/cli'],
  'types: dashboard': ['tsc', '-p', 'packages/dashboard'],
  'types: site': ['tsc', '-p', 'packages/site'],
  'types: shop': ['tsc', '-p', 'examples/shop'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  'unused code and packages': ['knip'],
  'schema.ts matches the migrations': ['node', 'packages/server/scripts/generate-schema.ts', '--check'],
  'page of settings matches config.ts': ['node', 'packages/server/scripts/config-table.ts', '--check'],
  'schema of the bootstrap file matches its reader': ['node', 'packages/server/scripts/bootstrap-schema.ts', '--check'],
  'requirement table matches the tests': ['node', 'scripts/coverage-spec.mjs'],
  'subjects of commits': ['node', 'scripts/commit-subjects.mjs'],
}

const only = process.argv[2]
const wanted = Object.entries(checks).filter(([name]) => !only || name.includes(only))
let failed = 0
// Two at a time: more would only make each other slower on a small machine.
const queue = [...wanted]
await Promise.all([worker(), worker()])
process.exit(failed === 0 ? 0 : 1)

async function worker() {
  for (let next = queue.shift(); next; next = queue.shift()) await run(...next)
}

function run(name, [command, ...args]) {
  return new Promise((resolve) => {
    const output = []
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(String(error))))
    child.on('close', (code) => {
      process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
      if (code !== 0) {
        failed++
        process.stdout.write(`${Buffer.concat(output).toString()}\n`)
      }
      resolve()
    })
  })
}
