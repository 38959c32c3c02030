/**
 * Makes a fresh clone ready: installs the packages (and with them the right Node) when something is missing
 * or the lock file has changed since. Plain JavaScript for the oldest Node that npm itself runs on.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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
