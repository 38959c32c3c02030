/** Several test files in one process, each when the one before has ended: `run-together.mjs <file> …`. */
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { shareUntilLast } from '../packages/server/test/harness/after-files.ts'

// As long as this is held, the engine keeps what it has compiled of the embedded database, and each file finds it ready.
globalThis.database = await WebAssembly.compile(readFileSync('node_modules/@electric-sql/pglite/dist/pglite.wasm'))

const endShared = shareUntilLast()
for (const file of process.argv.slice(2)) {
  // What the file says outside of its tests belongs to this one: its tests, and what comes after them.
  await test(file, () => import(pathToFileURL(file).href))
  mock.reset()
}
await test('what the files share ends', endShared)
