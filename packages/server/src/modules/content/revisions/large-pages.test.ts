/** A page ends where it has eight megabytes, and the next one goes on there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

/** Ids of each page. */
async function pagesOf(client: Client, path: string, idsOf: (data: any) => unknown[]): Promise<unknown[][]> {
  const pages: unknown[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer: any = expectStatus(await client.get(`${path}&cursor=${encodeURIComponent(cursor)}`.replace(/&cursor=$/, '')), 200)
    pages.push(idsOf(answer.data))
    cursor = answer.body.metadata.nextCursor
    assert.ok(pages.length < 20)
  }
  return pages
}

test('G-04 large rows make short pages, of which none is left out and none comes twice', async () => {
  const ws = await workspace()
  const fields = Array.from({ length: 12 }, (_, i) => ({ id: `f${i}`, tag: `#f${i}`, type: 'text' }))
  await ws.block('large', { fields })
  const values = Object.fromEntries(fields.map(({ tag }) => [tag, 'v'.repeat(250_000)]))
  const made: string[] = []
  // 3 MB each.
  for (let i = 0; i < 7; i++) made.push((await ws.instance('large', { title: `n${i}`, values }, { publish: false })).id)
  const ids = ({ instances }: any) => instances.map(({ id }: any) => id)
  const listed = await pagesOf(ws.admin, '/blocks/large/instances?limit=200', ids)
  assert.deepEqual([listed.map((page) => page.length), listed.flat()], [[3, 3, 1], made])
  assert.deepEqual(await pagesOf(ws.admin, '/blocks/large/instances?limit=4', ids), listed)
  assert.deepEqual(
    (await pagesOf(ws.admin, '/blocks/large/instances?limit=2', ids)).map((page) => page.length),
    [2, 2, 2, 1],
  )
  assert.deepEqual((await pagesOf(ws.admin, '/instances?limit=200', ids)).flat().length, 7)
  for (let i = 1; i <= 4; i++)
    expectStatus(await ws.admin.put(`/blocks/large/instances/${made[0]}`, { values: { ...values, '#f0': String(i) } }), 200)
  const numbers = ({ revisions }: any) => revisions.map(({ number }: any) => number)
  assert.deepEqual(await pagesOf(ws.admin, `/blocks/large/instances/${made[0]}/revisions?limit=50`, numbers), [
    [5, 4, 3],
    [2, 1],
  ])
})

test('G-04 strings in many languages make short pages too', async () => {
  const ws = await workspace()
  const locales = ['ar', 'fr', 'de', 'es', 'tr', 'ur', 'fa', 'hi', 'it', 'pt']
  for (const code of locales) expectStatus(await ws.admin.post('/locales', { code }), 201)
  const values = Object.fromEntries(locales.map((code) => [code, 'x'.repeat(20_000)]))
  // 220 kB each.
  const strings = Array.from({ length: 45 }, (_, i) => ({ key: `k${String(i).padStart(2, '0')}`, sourceText: 'x'.repeat(20_000), values }))
  for (let from = 0; from < strings.length; from += 15)
    expectStatus(await ws.write.post('/strings/sync', { strings: strings.slice(from, from + 15) }), 200)
  const pages = await pagesOf(ws.admin, '/strings?limit=200', (data) => data.strings.map(({ key }: any) => key))
  assert.deepEqual([pages.map((page) => page.length), pages.flat()], [[37, 8], strings.map(({ key }) => key)])
})
