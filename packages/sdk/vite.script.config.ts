import { defineConfig } from 'vite'

/** The client as one file that a `script` element loads: what the package loads when it is wanted is inside. */
export default defineConfig({
  build: {
    target: 'es2022',
    sourcemap: true,
    emptyOutDir: false,
    lib: { entry: 'src/script.ts', formats: ['iife'], name: 'ContentFlow', fileName: () => 'contentflow.js' },
    rolldownOptions: { output: { codeSplitting: false, minify: true, comments: false } },
  },
})
