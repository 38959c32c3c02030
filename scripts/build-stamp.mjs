/** Which sources the built pages were made from. Plain JavaScript for the oldest Node that npm itself runs on. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
export const buildStamp = `${root}packages/dashboard/dist/.sources`

const SOURCES = [
  'packages/core/src',
  'packages/sdk',
  'packages/cli',
  'packages/dashboard',
  'examples/shop',
  'package-lock.json',
  'scripts/build.mjs',
]
const NOT_BUILT = /(^|\/)(dist|node_modules|test|screenshots)$|\.test\.tsx?$|\.md$/

/** One text for everything the built pages depend on. */
export function sourcesHash() {
  const hash = createHash('sha256')
  const add = (path) => {
    if (NOT_BUILT.test(path) || !existsSync(root + path)) return
    if (statSync(root + path).isDirectory()) {
      for (const name of readdirSync(root + path).sort()) add(`${path}/${name}`)
      return
    }
    hash.update(`${path}\0`).update(readFileSync(root + path))
  }
  for (const path of SOURCES) add(path)
  return hash.digest('hex')
}

/** Whether the built pages are those of the sources as they are. */
export function isBuilt() {
  return existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === sourcesHash()
}
