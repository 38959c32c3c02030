/**
 * Copies what a server needs to run into an empty folder: `node scripts/pack.mjs <folder>`, then `npm ci --omit=dev` there.
 * Sources as they are, pages as they were built; no tests, no SDK, nothing that only makes the product. The same sources make the
 * same files with the same rights, and with SOURCE_DATE_EPOCH the same times.
 */
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2]
if (!folder || (existsSync(folder) && readdirSync(folder).length > 0)) {
  process.stderr.write('Name an empty folder: node scripts/pack.mjs <folder>\n')
  process.exit(1)
}

const FILES = ['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md']
const FOLDERS = ['packages/core/src', 'packages/server/src', 'packages/dashboard/dist', 'packages/site/dist', 'examples/shop/dist']
// npm compares the lock file with every package of the workspace, so their descriptions come along.
const descriptions = globSync('{packages,examples}/*/package.json', { cwd: root })

for (const file of [...FILES, ...descriptions]) copy(file)
for (const each of FOLDERS) copy(each)
settle(folder)
process.stdout.write(`Packed into ${folder}; now: npm ci --omit=dev\n`)

function copy(path) {
  const to = join(folder, path)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(join(root, path), to, { recursive: true, filter: (from) => !from.endsWith('.test.ts') })
}

/** What is in a folder comes first: whoever writes there changes its time. */
function settle(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) settle(join(path, entry.name))
    else settleOne(join(path, entry.name), 0o644)
  }
  settleOne(path, 0o755)
}

function settleOne(path, mode) {
  chmodSync(path, mode)
  const time = process.env['SOURCE_DATE_EPOCH']
  if (time) utimesSync(path, Number(time), Number(time))
}
