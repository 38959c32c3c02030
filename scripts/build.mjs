/**
 * Builds what is given out: the dashboard, the demo shop, the SDK and the command line as they are published, and beside them the
 * documentation site. `npm start` and `npm test` run it with `--if-changed`, which leaves out what is built of the sources as they
 * are; so does `npm pack`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { beginPart, isBuilt } from './build-stamp.mjs'
import { compressFolder } from './compress.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWanted = (part) => !process.argv.includes('--if-changed') || !isBuilt(part)
const started = Date.now()
const built = []

// A process of its own: it has the second core while the pages are built.
const site = isWanted('site') && buildSite()
if (isWanted('pages')) await buildPages()
if (site) {
  const { status, said } = await site
  if (status !== 0) {
    process.stderr.write(said)
    process.exit(status ?? 1)
  }
  built.push('the documentation')
}
if (built.length > 0) process.stdout.write(`Built ${built.join(', ')} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)

/** What it says of its progress is of interest only when it fails. */
async function buildSite() {
  const child = spawn(process.execPath, [`${root}packages/site/build.mjs`], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  const [status] = await once(child, 'close')
  return { status, said }
}

async function buildPages() {
  const markBuilt = beginPart('pages')
  for (const folder of ['packages/sdk', 'packages/cli', 'examples/shop', 'packages/dashboard']) {
    await build({ root: root + folder, configFile: `${root}${folder}/vite.config.ts`, logLevel: 'warn', mode: 'production' })
  }
  // One more file of the SDK, for pages without a bundler.
  await build({
    root: `${root}packages/sdk`,
    configFile: `${root}packages/sdk/vite.script.config.ts`,
    logLevel: 'warn',
    mode: 'production',
  })
  const declared = spawnSync(process.execPath, [`${root}packages/sdk/scripts/declarations.mjs`], { stdio: 'inherit' })
  if (declared.status !== 0) process.exit(declared.status ?? 1)
  // The server gives the worker of web push to apps that have none of their own, and the client to pages without a bundler.
  for (const name of ['push-worker.js', 'contentflow.js'])
    copyFileSync(`${root}packages/sdk/dist/${name}`, `${root}packages/dashboard/dist/${name}`)
  for (const folder of ['packages/dashboard/dist', 'examples/shop/dist']) compressFolder(root + folder)
  markBuilt()
  built.push('the dashboard', 'the demo shop', 'the SDK', 'the command line')
}
