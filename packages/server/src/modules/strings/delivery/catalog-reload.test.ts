/** A catalog is made from what changed since the one before it: whatever changes, it must be what a process that starts now makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, catalog, save, setSensor, sync } from '../../../../test/builders/strings.ts'
import { createApp } from '../../../app.ts'
import { loadCatalogRows } from './queries-catalog.ts'
import { until } from '../../../../test/harness/until.ts'

const { workspace, ctx, url, fault, operator } = await startApp()

const PATHS = ['/strings', '/strings?locale=ar', '/strings?locale=fr', '/strings?namespace=shop&locale=ar', '/locales']

/** What one process answers to everybody there is. */
async function everything(origin: string, ws: Workspace): Promise<string[]> {
  const texts: string[] = []
  for (const key of [ws.live, ws.test])
    for (const path of PATHS) {
      const { status, text, headers } = await clientOf(`${origin}/sdk/v1`, { 'x-cf-key': key }).get(path)
      texts.push(`${path} ${status} ${headers.get('etag')} ${text}`)
    }
  return texts
}

/** The same from a process that has never read this catalog. */
async function everythingAnew(ws: Workspace): Promise<string[]> {
  const app = await createApp(ctx, { isStrict: true })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  try {
    return await everything(app.http.listeningOrigin, ws)
  } finally {
    await app.stop({ drainMs: 0, streamsMs: 0 })
  }
}

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await addLocales(ws, 'ar')
  await sync(
    ws,
    { key: 'b', sourceText: 'B', values: { ar: 'ar b' } },
    { key: 's', sourceText: 'S', namespace: 'shop', values: { ar: 'ar s' } },
  )
  return ws
}

test('after every kind of change a process that has served for long answers what one answers that starts now', async () => {
  const ws = await shop()
  const steps: [string, () => Promise<unknown>][] = [
    ['a key before the others', () => sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar a' } })],
    ['a source text', () => sync(ws, { key: 'a', sourceText: 'A2' })],
    ['an approval', () => ws.admin.post('/strings/a/translations/ar/approve', {})],
    ['a text in review', () => save(ws, 'a', 'ar', 'ar a3')],
    ['a translation alone', () => sync(ws, { key: 'a', values: { ar: 'ar a4' } })],
    ['a sensor', () => setSensor(ws, 'a', true)],
    ['the sensor off', () => ws.write.post('/strings/disable', { keys: ['a'] })],
    ['another namespace', () => ws.admin.put('/strings/a', { namespace: 'shop' })],
    ['a hidden key', () => ws.admin.put('/strings/b', { hidden: true })],
    ['the key again', () => ws.admin.put('/strings/b', { hidden: false })],
    ['a translation taken out', () => ws.admin.delete('/strings/b/translations/ar')],
    ['a locale', () => addLocales(ws, 'fr')],
    ['a text in it', () => sync(ws, { key: 's', values: { fr: 'fr s' } })],
    ['a locale gone', () => ws.admin.delete('/locales/fr')],
    ['the same locale again, without its texts', () => addLocales(ws, 'FR')],
    ['the source language', () => ws.admin.put('/settings/source-locale', { code: 'ar' })],
    ['no source language', () => ws.admin.put('/settings/source-locale', { code: null })],
    ['a switch', () => ws.admin.put('/settings/features', { features: { strings: false } })],
  ]
  let before = await everything(url, ws)
  for (const [what, change] of steps) {
    await change()
    const now = await everything(url, ws)
    assert.deepEqual(now, await everythingAnew(ws), what)
    assert.notDeepEqual(now, before, `${what} is seen`)
    before = now
  }
})

test('C-STR-26 the last known catalog is served while it cannot be read anew, whole, and the new one soon after', async () => {
  const ws = await shop()
  const before = await catalog(ws, 'ar')
  await fault('upstream', true)
  try {
    expectStatus(await ws.admin.put('/strings/b', { sourceText: 'B2' }), 200)
    assert.deepEqual(await catalog(ws, 'ar'), before)
    assert.deepEqual((await catalog(ws, 'en')).strings, { b: 'B', s: 'S' }, 'a language that nobody had asked for too')
    const unread = await workspace()
    assert.deepEqual([(await unread.app.get('/strings')).status, (await unread.app.get('/strings')).headers.get('retry-after')], [503, '5'])
  } finally {
    await fault('upstream', false)
  }
  await until('it is read again', async () => (await catalog(ws, 'en')).strings.b === 'B2')
})

test('a crowd that asks for a cold catalog is answered alike, and reads it once', async () => {
  const ws = await shop()
  let reads = 0
  const app = await createApp({ ...ctx, faults: { ...ctx.faults, check: () => void reads++ } }, { isStrict: true })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  try {
    const client = clientOf(`${app.http.listeningOrigin}/sdk/v1`, { 'x-cf-key': ws.live })
    await client.get('/sync')
    reads = 0
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.get('/strings?locale=ar')))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers[0]?.data.strings.b, 'ar b')
    assert.equal(reads, 1)
  } finally {
    await app.stop({ drainMs: 0, streamsMs: 0 })
  }
})

// The embedded database has one connection: nothing is saved while a catalog is being read.
if (ctx.engine === 'postgres') {
  test('what is saved while a catalog is being read is in the next one as a whole, in this one not at all', async () => {
    const ws = await shop()
    let answers = 0
    const db = ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (++answers === 1) await sync(ws, { key: 'b', sourceText: 'new' }, { key: 's', sourceText: 'new' })
        return result
      },
    })
    const read = (await loadCatalogRows(db, ws.id)) ?? assert.fail()
    assert.ok(answers > 2, 'it was read in several statements')
    assert.deepEqual(
      read.strings.map(({ sourceText }) => sourceText),
      ['B', 'S'],
    )
    const known = { ...read, locales: new Map(read.locales.map(({ code }) => [code, code])) }
    const next = await loadCatalogRows(ctx.db, ws.id, known)
    assert.deepEqual([next?.isWhole, next?.strings.map(({ sourceText }) => sourceText)], [false, ['new', 'new']])
    const again = await loadCatalogRows(ctx.db, ws.id, { ...known, revision: next?.revision ?? 0 })
    assert.deepEqual(again?.strings, [], 'what is known is not read again')
  })
}
