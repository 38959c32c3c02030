/** One transaction tells an environment at most once of each name, whatever it changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream, type Stream } from '../../../../test/harness/streams.ts'

const { workspace, url, ctx } = await startApp()

const TYPES = 100
const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text' }]

type Entry = { title: string; status?: string; name?: string }

const entry = (index: number, { title, status = 'live', name = 'Card' }: Entry) => ({
  key: `type_${index}`,
  name,
  fields: FIELDS,
  instances: [{ externalId: 'only', status, values: { '#title': title } }],
})
const declare = async (ws: Workspace, blocks: object[]) => {
  const { errors } = expectStatus(await ws.write.post('/cards/sync', { blocks }), 200).data
  assert.deepEqual(errors, [])
}

/** A workspace with types that are live, and a stream of each environment. */
async function shop() {
  const ws = await workspace()
  await declare(
    ws,
    Array.from({ length: TYPES }, (_, index) => entry(index, { title: 'one' })),
  )
  const streams = [await openStream(`${url}/sdk/v1/stream?key=${ws.live}`), await openStream(`${url}/sdk/v1/stream?key=${ws.test}`)]
  for (const stream of streams) await stream.until('its first line', () => stream.text().includes('\n'))
  return { ws, streams }
}

/** What the streams were told before a change of the switches, which is made here and told last of all. */
async function namesBefore(ws: Workspace, streams: readonly Stream[]): Promise<string[][]> {
  expectStatus(await ws.admin.put('/settings/features', { features: { campaigns: true } }), 200)
  const last = ({ events }: Stream) => events.findIndex(({ event }) => event === 'config.updated')
  for (const stream of streams) await stream.until('the last event', () => last(stream) !== -1)
  return streams.map((stream) => stream.events.slice(0, last(stream)).map(({ event }) => event ?? ''))
}

test('C-STREAM-08 a manifest that changes a hundred live types with a seed each sends one event to a stream of each environment', async () => {
  const { ws, streams } = await shop()
  await declare(
    ws,
    Array.from({ length: TYPES }, (_, index) => entry(index, { title: 'two', name: 'Other card' })),
  )
  assert.deepEqual(await namesBefore(ws, streams), [['block.updated'], ['block.updated']])
})

test('a manifest that publishes, changes, unpublishes and archives sends one event of each name, in the order of what there is more, otherwise and no longer', async () => {
  const { ws, streams } = await shop()
  const names = ['block.published', 'block.updated', 'block.unpublished', 'block.archived']
  // Archived: those it does not name. Published: those it is the first to name.
  await declare(ws, [
    ...Array.from({ length: 20 }, (_, index) => entry(index, { title: 'one', status: 'draft' })),
    ...Array.from({ length: 20 }, (_, index) => entry(20 + index, { title: 'two' })),
    ...Array.from({ length: 20 }, (_, index) => entry(TYPES + index, { title: 'new' })),
  ])
  assert.deepEqual(await namesBefore(ws, streams), [names, names])
  for (const { events } of streams) {
    const ids = events.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
      'ids grow',
    )
  }
})

test('a stream that missed such a change is told its last name, once', async () => {
  const { ws, streams } = await shop()
  await declare(ws, [entry(0, { title: 'one', status: 'draft' }), entry(1, { title: 'two' })])
  const [stream] = streams
  await stream?.until('three events', () => stream.events.length === 3)
  const first = stream?.events[0]
  const again = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live, 'last-event-id': first?.id ?? '' })
  const { event, id } = await again.next()
  assert.deepEqual([event, id], ['block.archived', stream?.events.at(-1)?.id])
})

test('what a test key alone sees is told to test keys alone, in a change of both', async () => {
  const { ws, streams } = await shop()
  await declare(
    ws,
    Array.from({ length: TYPES }, (_, index) =>
      index === 0
        ? { ...entry(0, { title: 'one' }), instances: [{ externalId: 'mine', status: 'test', values: { '#title': 'x' } }] }
        : entry(index, { title: 'one' }),
    ),
  )
  assert.deepEqual(await namesBefore(ws, streams), [[], ['block.published']])
})

test('a sync of a hundred texts, and an import in several steps, move a catalog by one revision and tell it once', async () => {
  const ws = await workspace()
  const heard: number[] = []
  ctx.signals.on('strings', ({ workspaceId, revision }) => void (workspaceId === ws.id && heard.push(revision)))
  const before = await ctx.db.selectFrom('string_catalogs').select('revision').where('workspace_id', '=', ws.id).executeTakeFirstOrThrow()
  const rows = Array.from({ length: 100 }, (_, index) => ({ key: `key_${index}`, sourceText: 'text' }))
  expectStatus(await ws.write.post('/strings/sync', { strings: rows }), 200)
  const lines = Array.from({ length: 4_100 }, (_, index) => `line_${index},text`)
  const { importId } = expectStatus(await ws.admin.post('/strings/imports', { csv: ['key,sourceText', ...lines].join('\n') }), 201).data
  expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 200)
  // A look for lost signals tells of a revision once more, also of the first.
  const news = [...new Set(heard)].filter((revision) => revision > before.revision)
  assert.deepEqual(news, [before.revision + 1, before.revision + 2])
})

test('due work is woken once after the commit, however often it is said, and not at all by a change that fails', async () => {
  const ws = await workspace()
  const heard: string[] = []
  ctx.signals.on('due', ({ workspaceId, work }) => void (workspaceId === ws.id && heard.push(work)))
  const of = { workspaceId: ws.id, actor: 'test' }
  await ctx.change(of, async ({ nudge }) => {
    for (const work of ['one', 'two', 'one']) nudge(work)
    assert.deepEqual(heard, [])
  })
  assert.deepEqual(heard, ['one', 'two'])
  const failing = ctx.change(of, async ({ nudge }) => {
    nudge('three')
    throw new Error('it failed')
  })
  await assert.rejects(failing, /it failed/)
  assert.deepEqual(heard, ['one', 'two'])
})
