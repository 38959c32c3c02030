import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server that `npm run dev` asks for the shop's configuration and content. */
const SERVER = process.env['CF_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/demo/shop/',
  plugins: [react()],
  // The sources of the SDK, not what it is published as.
  resolve: { tsconfigPaths: true },
  // Everything a file of its own: the page's policy allows no inline code and no data: addresses but pictures.
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/sdk': SERVER, '/demo/shop/config.json': SERVER } },
})
