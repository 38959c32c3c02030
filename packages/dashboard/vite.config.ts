import react from '@vitejs/plugin-react'
import presetMantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

/** Where `vite` sends what only the server answers, in development. */
const server = process.env['CF_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  // The sources of the other packages, not what they are published as.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  css: { postcss: { plugins: [presetMantine()] } },
  build: {
    target: 'es2023',
    // Every route is a chunk of its own; the browser is told of what a chunk needs without an inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/sdk': server, '/demo': server, '/readyz': server },
  },
})
