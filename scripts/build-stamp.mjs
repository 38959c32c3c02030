/** Which sources the built pages were made from. Plain JavaScript for the oldest Node that npm itself runs on. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What is built apart, because it changes apart: where its mark lies, what it depends on, and what of that does not count. */
const PARTS = {
  pages: {
    stamp: `${root}packages/dashboard/dist/.sources`,
    sources: [
      'packages/core/src',
      'packages/sdk',
      'packages/cli',
      'packages/dashboard',
      'examples/shop',
      'package-lock.json',
      'scripts/build.mjs',
    ],
    notBuilt: /(^|\/)(dist|node_modules|test|screenshots)$|\.test\.tsx?$|\.md$/,
  },
  site: {
    stamp: `${root}packages/site/dist/.sources`,
    sources: [
      'docs',
      'packages/site',
      'packages/sdk/README.md',
      'packages/sdk/react/README.md',
      'packages/cli/README.md',
      'examples/shop/README.md',
      'bench/RESULTS.md',
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'SECURITY.md',
      'package.json',
      'package-lock.json',
    ],
    notBuilt: /(^|\/)(dist|node_modules|test)$/,
  },
}

/** One text for everything that a part depends on. */
function sourcesHash({ sources, notBuilt }) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (notBuilt.test(path) || !existsSync(root + path)) return
    if (statSync(root + path).isDirectory()) {
      for (const name of readdirSync(root + path).sort()) add(`${path}/${name}`)
      return
    }
    hash.update(`${path}\0`).update(readFileSync(root + path))
  }
  for (const path of sources) add(path)
  return hash.digest('hex')
}

/** To be called before a part is built: what it returns marks it as built of the sources as they were. */
export function beginPart(name) {
  const part = PARTS[name]
  const hash = sourcesHash(part)
  return () => writeFileSync(part.stamp, hash)
}

/** Whether what is built is of the sources as they are: one part, or all. */
export function isBuilt(...names) {
  return (names.length > 0 ? names : Object.keys(PARTS)).every((name) => {
    const part = PARTS[name]
    return existsSync(part.stamp) && readFileSync(part.stamp, 'utf8') === sourcesHash(part)
  })
}
