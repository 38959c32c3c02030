import { defineConfig } from 'vite'

/** The published files: ES modules, with the pure functions of core inside and React left to the application. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  build: {
    target: 'es2022',
    cssCodeSplit: false,
    lib: {
      entry: { index: 'src/index.ts', react: 'src/react/index.ts' },
      formats: ['es'],
      cssFileName: 'react',
    },
    rolldownOptions: {
      external: [/^react($|\/)/, /^react-dom($|\/)/],
      output: { minify: true, comments: false },
    },
  },
})
