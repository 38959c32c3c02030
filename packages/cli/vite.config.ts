import { readFileSync } from 'node:fs'
import { printSchema, SCHEMA_NAMES } from '@contentflow/core/schemas/schemas.ts'
import { defineConfig, type Plugin } from 'vite'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }

/** The schemas as files beside the command, for editors that are told a path. */
const schemas: Plugin = {
  name: 'schemas',
  generateBundle() {
    for (const name of SCHEMA_NAMES) this.emitFile({ type: 'asset', fileName: `schemas/${name}.json`, source: printSchema(name) })
  },
}

/** One file with everything in it, so that `npx` fetches nothing else. */
export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [schemas],
  ssr: { noExternal: true },
  build: {
    target: 'node20',
    ssr: 'src/main.ts',
    // Assets of a build for Node are left out otherwise.
    ssrEmitAssets: true,
    sourcemap: true,
    // What is built in has licences of its own.
    license: { fileName: 'licenses.md' },
    rolldownOptions: { output: { entryFileNames: 'contentflow.js', codeSplitting: false, minify: false } },
  },
})
