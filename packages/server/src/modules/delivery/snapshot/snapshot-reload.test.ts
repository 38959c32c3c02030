/** A snapshot is made from what differs from the one before it: whatever changes, it must be what a process that starts now makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { insertDevice } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { createApp } from '../../../app.ts'
import { loadSnapshotRows } from './queries.ts'

const { workspace, ctx, url, operator } = await startApp()

/** What one process answers to everybody there is: both environments, a device in a segment, a translation, each block type. */
async function everything(origin: string, ws: Workspace, keys: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  for (const key of [ws.live, ws.test]) {
    const client = clientOf(`${origin}/sdk/v1`, { 'x-cf-key': key, 'x-cf-device': 'device' })
    for (const path of ['/sync', '/sync?locale=ar', ...keys.map((name) => `/blocks/${name}`)]) {
      const { status, text, headers } = await client.get(path)
      texts.push(`${path} ${status} ${headers.get('etag')} ${text}`)
    }
  }
  return texts
}

/** The same from a process that has never read this content. */
async function everythingAnew(ws: Workspace, keys: readonly string[]): Promise<string[]> {
  const app = await createApp(ctx, { isStrict: true })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  try {
    return await everything(app.http.listeningOrigin, ws, keys)
  } finally {
    await app.stop({ drainMs: 0, streamsMs: 0 })
  }
}

test('after every kind of change a process that has served for long answers what one answers that starts now', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await insertDevice(ctx, ws.id, 'device', { segments: ['Gold'] })
  const keys = ['first', 'second', 'third']
  for (const key of keys) await ws.block(key)
  const path = (instance: { blockKey: string; id: string }) => `/blocks/${instance.blockKey}/instances/${instance.id}`
  const texts = (title: string) => ({ values: { '#title': title }, translations: { ar: { '#title': `${title} ar` } } })
  const [a, b, c] = [
    await ws.instance('first', texts('a')),
    await ws.instance('first', { ...texts('b'), seg: 'Gold' }),
    await ws.instance('second', texts('c'), { publish: 'test' }),
  ]
  const fields = [
    { id: 'f_title', tag: '#headline', type: 'text' },
    { id: 'f_list', tag: '#list', type: 'collection', allowedBlockKeys: ['first'] },
  ]
  const steps: [string, () => Promise<unknown>][] = [
    ['a text', () => ws.admin.put(path(a), texts('a2'))],
    ['a place in the order', () => ws.admin.put(path(b), { priority: 9 })],
    ['publication live of what was for tests', () => ws.admin.post(`${path(c)}/publish`, { target: 'live' })],
    ['a segment nobody was aimed at before', () => ws.admin.put(path(a), { seg: 'Silver' })],
    ['the only instance of a segment aimed elsewhere', () => ws.admin.put(path(b), { seg: null })],
    ['back into the segment', () => ws.admin.put(path(a), { seg: 'Gold' })],
    ['variants', () => ws.admin.put(path(c), { variants: ['x', 'y'].map((id) => ({ id, weight: 1, values: { '#title': id } })) })],
    ['a schedule that is over', () => ws.admin.put(path(c), { schedule: { endTime: '2020-01-01T00:00:00Z' } })],
    ['no schedule', () => ws.admin.put(path(c), { schedule: null })],
    ['publication taken back', () => ws.admin.post(`${path(b)}/unpublish`, {})],
    ['publication anew, which is later', () => ws.admin.post(`${path(b)}/publish`, { target: 'live' })],
    ['a tag of the type and a collection', () => ws.write.post('/cards/register', { key: 'second', fields, seedInstance: false })],
    ['what the collection holds', () => ws.admin.put(path(c), { values: { '#list': [a.id, b.id] } })],
    ['an instance deleted that a collection holds', () => ws.admin.delete(path(b))],
    ['a language gone', () => ws.admin.put(path(a), { translations: { ar: null } })],
    ['a switch', () => ws.admin.put('/settings/features', { features: { campaigns: false } })],
    ['block types archived', () => ws.write.post('/cards/sync', { prune: true, blocks: [{ key: 'second', fields }] })],
    ['one of them again', () => ws.write.post('/cards/register', { key: 'first', fields: [{ tag: '#title', type: 'text' }] })],
  ]
  let before = await everything(url, ws, keys)
  for (const [what, change] of steps) {
    const { status, text } = (await change()) as { status: number; text: string }
    assert.ok(status < 300, `${what}: ${text}`)
    const now = await everything(url, ws, keys)
    assert.deepEqual(now, await everythingAnew(ws, keys), what)
    assert.notDeepEqual(now, before, `${what} is seen`)
    before = now
  }
})

// The embedded database has one connection: nothing is saved while content is being read.
if (ctx.engine === 'postgres') {
  test('what is saved while content is being read is in the next snapshot as a whole, in this one not at all', async () => {
    const ws = await workspace()
    await ws.block('promo')
    const made = [await ws.instance('promo', { values: { '#title': 'old' } }), await ws.instance('promo', { values: { '#title': 'old' } })]
    let answers = 0
    const db = ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (++answers > 1) return result
        for (const { id } of made) expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'new' } }), 200)
        expectStatus(await ws.write.post('/cards/register', { key: 'promo', name: 'New', fields: [{ tag: '#title', type: 'text' }] }), 201)
        return result
      },
    })
    const read = await loadSnapshotRows(db, ws.id, 'live')
    const titles = (rows: typeof read) => [...(rows?.instances.values() ?? [])].map(({ values }) => values['f_title'])
    assert.ok(answers > 2, 'it was read in several statements')
    assert.deepEqual(titles(read), ['old', 'old'])
    assert.equal([...(read?.definitions.values() ?? [])][0]?.name, 'promo')
    const next = await loadSnapshotRows(ctx.db, ws.id, 'live', read)
    assert.deepEqual(titles(next), ['new', 'new'])
    assert.ok((next?.revision ?? 0) > (read?.revision ?? 0))
    const again = await loadSnapshotRows(ctx.db, ws.id, 'live', next)
    for (const [stamp, row] of next?.instances ?? []) assert.equal(again?.instances.get(stamp), row, 'what is known is not read again')
  })
}
