import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }

/** One file with everything in it, so that `npx` fetches nothing else. */
export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true },
  build: {
    target: 'node20',
    ssr: 'src/main.ts',
    sourcemap: true,
    // What is built in has licences of its own.
    license: { fileName: 'licenses.md' },
    rolldownOptions: { output: { entryFileNames: 'contentflow.js', codeSplitting: false, minify: false } },
  },
})
