/** The files as they are published, built once into a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after } from 'node:test'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The folder; it goes after the tests of the file. */
export async function buildSdk(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cf-sdk-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['vite.config.ts', 'vite.script.config.ts'])
    await build({ root: ROOT, configFile: join(ROOT, name), logLevel: 'error', build: { outDir: folder, emptyOutDir: false } })
  return folder
}
