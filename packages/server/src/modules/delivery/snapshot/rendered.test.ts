/** What is rendered once for each language is not kept for all languages there are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { launch } from '../../../../test/builders/campaigns.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, operator } = await startApp()

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

test('large campaigns in many languages and variants are right in each, and take the memory of a few', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  const editor = await ws.editor()
  const locales = ['ar', 'en', 'fr', 'ur']
  const variants = Array.from({ length: 20 }, (_, i) => ({ id: `v${i}`, weight: 1, values: { title: `Title ${i}` } }))
  const placements = Array.from({ length: 20 }, (_, i) => `place_${i}`)
  for (const placement of placements) {
    const said = { data: { text: 'd'.repeat(235_000) }, placementIds: [placement], variants }
    const content = Object.fromEntries(locales.map((locale) => [locale, { body: `in ${locale}`, ...said }]))
    await launch(ws, editor, { name: placement, content })
  }
  const read = async (placementId: string, locale: string, deviceId: string) => {
    const headers = { 'accept-language': locale }
    const { data } = expectStatus(await ws.app.post('/campaigns', { placementId, deviceId }, { headers }), 200)
    assert.deepEqual(
      [data.length, data[0].name, data[0].content.body, data[0].content.data.text.length],
      [1, placementId, `in ${locale}`, 235_000],
    )
    assert.equal(data[0].content.title, data[0].variantId.replace('v', 'Title '))
    return data[0].variantId as string
  }
  const before = heapBytes()
  for (const placement of placements) {
    const byVariant = new Map<string, string>()
    for (let i = 0; byVariant.size < variants.length; i++) byVariant.set(await read(placement, 'ar', `D${i}`), `D${i}`)
    for (const locale of locales) for (const deviceId of byVariant.values()) await read(placement, locale, deviceId)
  }
  // 1,600 times 0.24 MB are 376, and finished lists take 32.
  const grown = heapBytes() - before
  assert.ok(grown < 320e6, `${grown} bytes more`)
})
