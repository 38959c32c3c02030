import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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

test('the core bundle is at most 12 KiB gzipped, chunks included', () => {
  const sizes = [...filesOf('index.js')].map((name) => gzipSync(readFileSync(join(folder, name))).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total <= LIMIT_BYTES, `${total} bytes`)
})

test('the core bundle imports nothing from outside', () => {
  for (const name of filesOf('index.js'))
    assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /(?:from|import)\s*["'`][^."'`]/, name)
})
