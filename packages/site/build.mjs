/**
 * Builds the documentation site. Without arguments as the server gives it out, at `/guide/`; to be published elsewhere as static
 * files: `npm run docs:site -- <folder> [<base path>]`.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { beginPart } from '../../scripts/build-stamp.mjs'
import { compressFolder } from '../../scripts/compress.mjs'

const site = fileURLToPath(new URL('.', import.meta.url))
const [folder, base = '/'] = process.argv.slice(2)

if (folder === undefined) {
  const markBuilt = beginPart('site')
  // Read by the configuration: on the server the documentation stands beside the dashboard and the API.
  process.env.CF_SITE_BESIDE_SERVER = 'yes'
  await build(site, { base: '/guide/', outDir: `${site}dist`, logLevel: 'warn' })
  compressFolder(`${site}dist`)
  markBuilt()
} else {
  await build(site, { base, outDir: resolve(folder), logLevel: 'warn' })
}
