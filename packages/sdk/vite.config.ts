import { defineConfig } from 'vite'

/** What only runs where a page is: frameworks that draw on a server as well have to know. */
const CLIENT = "'use client';"

/** The published files: for `import` and for `require`, with the pure functions of core inside and React left to the application. */
export default defineConfig({
  plugins: [
    {
      name: 'file-names',
      // Without a hash: files of one version belong together, and whoever serves them as they are finds them again.
      outputOptions: (options) => ({ ...options, chunkFileNames: options.format === 'cjs' ? '[name].cjs' : '[name].js' }),
    },
  ],
  build: {
    target: 'es2022',
    sourcemap: true,
    cssCodeSplit: false,
    lib: {
      entry: {
        index: 'src/index.ts',
        inbox: 'src/inbox.ts',
        react: 'src/react/index.ts',
        'react-inbox': 'src/react/inbox/index.ts',
        'react-preferences': 'src/react/preferences/index.ts',
        'push-prompt': 'src/react/push-prompt.tsx',
        'web-push': 'src/web-push/index.ts',
        'push-worker': 'src/web-push/worker.ts',
        testing: 'src/testing/index.ts',
        devtools: 'src/devtools/index.ts',
        node: 'src/node/index.ts',
      },
      formats: ['es', 'cjs'],
      cssFileName: 'react',
    },
    rolldownOptions: {
      external: [/^react($|\/)/, /^react-dom($|\/)/, /^node:/],
      // What only has a name in the sources stands where it is used: names would count for the size of the core.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      // An entry that another one uses is one file, not a file that only names another.
      preserveEntrySignatures: 'allow-extension',
      output: { minify: true, comments: false, banner: ({ name }) => (name.startsWith('react') || name === 'push-prompt' ? CLIENT : '') },
    },
  },
})
