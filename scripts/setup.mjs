/**
 * Makes a fresh clone ready: installs the packages (and with them the right Node) when something is missing
 * or the lock file has changed since, and builds the pages when their sources have. Plain JavaScript for the oldest Node that npm itself runs on.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './build-stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.contentflow-setup`
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  process.stdout.write('Installing packages (once; about a minute)\n')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, wanted)
}

// Where no Node comes with the packages (macOS, Windows), the installed one has to be new enough.
const bundled = existsSync(`${root}node_modules/.bin/node`)
const major = Number(process.versions.node.split('.')[0])
if (!bundled && major < 26) {
  process.stderr.write(`ContentFlow needs Node 26; this is ${process.version}. Install it from https://nodejs.org and try again.\n`)
  process.exit(1)
}

if (!isBuilt()) {
  process.stdout.write('Building the dashboard and the documentation (again only when their sources change; some seconds)\n')
  const { status } = spawnSync('npm', ['run', 'build', '--silent', '--', '--if-changed'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
