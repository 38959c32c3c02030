import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildSdk } from './support/build.ts'

/** 12 KiB. */
const LIMIT_BYTES = 12_288

const folder = await buildSdk()

/** A file and the chunks it imports, each once. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const imports = [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)]
  for (const [, next] of imports) if (next) filesOf(next, found)
  return found
}

/** Bytes of these files together, each compressed by itself. */
function weigh(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
}

test('the core bundle is at most 12 KiB gzipped, chunks included', () => {
  const total = weigh(filesOf('index.js'))
  assert.ok(total <= LIMIT_BYTES, `${total} bytes`)
})

/** What each entry adds to the core, and what is loaded when it is wanted: at most so many bytes. */
const BOUNDS = {
  'debug.js': 1_536,
  'devtools.js': 4_096,
  'hints.js': 768,
  'inbox.js': 3_072,
  'live.js': 2_048,
  'node.js': 4_096,
  'push-worker.js': 1_024,
  'react.js': 15_360,
  'react-inbox.js': 6_144,
  'react-preferences.js': 3_072,
  'reads.js': 1_024,
  'testing.js': 3_072,
  'web-push.js': 2_048,
}
for (const [name, bound] of Object.entries(BOUNDS))
  test(`${name} adds at most ${bound} bytes gzipped`, () => {
    const core = filesOf('index.js')
    const total = weigh([...filesOf(name)].filter((each) => !core.has(each)))
    assert.ok(total <= bound, `${total} bytes`)
  })

test('the script for pages without a bundler is at most 18 KiB gzipped, and one file', () => {
  const total = weigh(['contentflow.js'])
  assert.ok(total <= 18_432, `${total} bytes`)
  assert.doesNotMatch(readFileSync(join(folder, 'contentflow.js'), 'utf8'), /\bimport\(|^export|\bfrom["'`]/)
})

test('every entry has a bound', () => {
  const entries = readdirSync(folder).filter((name) => name.endsWith('.js') && !/^(index|contentflow|push-prompt)\.js$/.test(name))
  const reached = new Set(Object.keys(BOUNDS).flatMap((name) => [...filesOf(name)]))
  assert.deepEqual(
    entries.filter((name) => !reached.has(name)),
    [],
  )
})

test('the core bundle imports nothing from outside', () => {
  for (const name of filesOf('index.js'))
    assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /(?:from|import)\s*["'`][^."'`]/, name)
})
