/**
 * Builds what is given out: the dashboard, the demo shop, the SDK and the command line as they are published. Files are compressed
 * here once, so that no request has to. `npm start` and `npm test` run it when a source has changed; so does `npm pack`, by
 * `--if-changed`.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { buildStamp, isBuilt, sourcesHash } from './build-stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
if (process.argv.includes('--if-changed') && isBuilt()) process.exit(0)
const started = Date.now()
const hash = sourcesHash()

for (const folder of ['packages/sdk', 'packages/cli', 'examples/shop', 'packages/dashboard']) {
  await build({ root: root + folder, configFile: `${root}${folder}/vite.config.ts`, logLevel: 'warn', mode: 'production' })
}
// One more file of the SDK, for pages without a bundler.
await build({ root: `${root}packages/sdk`, configFile: `${root}packages/sdk/vite.script.config.ts`, logLevel: 'warn', mode: 'production' })
const declared = spawnSync(process.execPath, [`${root}packages/sdk/scripts/declarations.mjs`], { stdio: 'inherit' })
if (declared.status !== 0) process.exit(declared.status ?? 1)
// The server gives the worker of web push to apps that have none of their own, and the client to pages without a bundler.
for (const name of ['push-worker.js', 'contentflow.js'])
  copyFileSync(`${root}packages/sdk/dist/${name}`, `${root}packages/dashboard/dist/${name}`)
for (const file of globSync('{packages/dashboard,examples/shop}/dist/**/*.{js,css,html,svg,json}', { cwd: root })) compress(root + file)
writeFileSync(buildStamp, hash)
process.stdout.write(
  `Built the dashboard, the demo shop, the SDK and the command line in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
)

function compress(file) {
  const bytes = readFileSync(file)
  // Below this the headers weigh more than what is saved.
  if (bytes.length < 1024) return
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
}
