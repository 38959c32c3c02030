/** What is rendered once for each language is not kept for all languages there are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expectStatus } from '../../../test/builders.ts'
import { startApp } from '../../../test/start-app.ts'

const { workspace } = await startApp()

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test('large content in many languages is right in each, and takes the memory of a few', async () => {
  const ws = await workspace()
  const fields = Array.from({ length: 36 }, (_, i) => ({ id: `f${i}`, tag: `#f${i}`, type: 'text' }))
  await ws.block('large', { fields })
  const locales = Array.from(
    { length: 60 },
    (_, i) => `x${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`,
  )
  const values = Object.fromEntries(fields.map(({ tag }) => [tag, 'v'.repeat(250_000)]))
  const translations = Object.fromEntries(locales.map((locale) => [locale, { '#f0': `in ${locale}` }]))
  await ws.instance('large', { values, translations })
  const read = async (locale: string) => {
    const [block] = expectStatus(await ws.app.get(`/sync?locale=${locale}`), 200).data.blocks
    assert.deepEqual([block.values['#f0'], block.values['#f1'].length], [`in ${locale}`, 250_000])
  }
  for (const locale of locales.slice(0, 5)) await read(locale)
  const before = heapBytes()
  for (const locale of [...locales, ...locales.slice(0, 5)]) await read(locale)
  // 60 times 9 MB are 540; a sixteenth of the heap is 270 where it is largest.
  const grown = heapBytes() - before
  assert.ok(grown < 320e6, `${grown} bytes more`)
})
