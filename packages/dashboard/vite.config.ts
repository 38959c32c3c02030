import react from '@vitejs/plugin-react'
import presetMantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

/** Where `vite` sends what only the server answers, in development. */
const server = process.env['CF_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  // The sources of the other packages, not what they are published as.
  resolve: { tsconfigPaths: true },
  css: { postcss: { plugins: [presetMantine()] } },
  build: {
    target: 'es2023',
    // Every route is a chunk of its own; the browser is told of what a chunk needs without an inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The second is of the API reference, a page of the server, which knows it by its name.
    rolldownOptions: {
      input: { index: 'index.html', 'docs-try': 'src/docs-try/try.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'docs-try' ? '[name].js' : 'assets/[name]-[hash].js'),
        // Every page needs them: in one piece they compress better than in many.
        codeSplitting: {
          groups: [
            {
              name: 'shell',
              test: /dashboard\/src\/(?:i18n|session|format|calendar|data|api|unsaved|kept-work|reenter|modules\/settings\/protection\/use-undecided|modules\/content\/(?:month|turn-mark|use-instance-name)|ui\/(?:page|section|state-badge|url-state|environment|fields\/copy-field))\.tsx?$|icons-react\/.*\/Icon(?:CircleDashed|CircleCheck|Inbox)\.|@mantine\/(?:core|hooks)\/.*\/(?:use-resolved-styles-api|create-safe-context|get-auto-contrast-value|create-scoped-keydown-handler|get-base-value|use-window-event|use-local-storage)\./,
            },
            // Windows hold the page still, and the start page begins without one.
            {
              name: 'scroll-lock',
              test: /node_modules\/(?:react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-sidecar|use-callback-ref)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/sdk': server, '/demo': server, '/readyz': server },
  },
})
