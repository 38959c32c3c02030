/** The programs of docs/app and docs/run in TypeScript: each compiles strictly with the built package, as an app has it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** In place of packages that the repository does not have. */
const PLACES = {
  'react-native': 'react-native/react-native.ts',
  '@react-native-async-storage/async-storage': 'react-native/async-storage.ts',
  'expo-crypto': 'react-native/expo-crypto.ts',
  'next/headers': 'support/next-headers.ts',
}
const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  module: 'ESNext',
  moduleResolution: 'Bundler',
  jsx: 'react-jsx',
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  types: ['node'],
  noEmit: true,
  paths: Object.fromEntries(Object.entries(PLACES).map(([name, file]) => [name, [`${ROOT}packages/sdk/test/${file}`]])),
}

const folder = mkdtempSync(join(tmpdir(), 'cf-app-pages-'))
after(() => rmSync(folder, { recursive: true, force: true }))
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')

test('every program of docs/app and docs/run compiles strictly', () => {
  let count = 0
  for (const page of globSync('docs/{app,run}/*.md', { cwd: ROOT })) {
    // The programs of a page import each other by the file that the first line names.
    const own = join(folder, 'src', basename(page, '.md'))
    for (const [, language = '', code = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(tsx?)\n([^]*?)^```$/gm)) {
      const file = /^\/\/ (?:app\/)?([\w.-]+\.tsx?)\b/.exec(code)?.[1] ?? assert.fail(`${page}: a program in ${language} names no file`)
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, file), code)
      count++
    }
  }
  assert.ok(count >= 11, String(count))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }))
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
})

test('the test of an app in docs/run/testing.md passes', () => {
  const file = join(folder, 'src/testing/checkout.test.ts')
  const { status, stderr } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})
