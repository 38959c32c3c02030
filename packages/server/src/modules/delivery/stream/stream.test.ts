import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { untilPolledTwice } from '../../../../test/harness/polls.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'
import { until } from '../../../../test/harness/until.ts'
import { countWaiting } from '../../../../test/harness/waiting.ts'

const { workspace, url, anyone, ctx } = await startApp()

const ADDRESS = `${url}/sdk/v1/stream`
const listen = (key: string, lastEventId?: string) =>
  openStream(ADDRESS, { 'x-cf-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) })
const publish = async (ws: Workspace, id: string, target: 'live' | 'test' = 'live') =>
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/publish`, { target }), 200)
const unpublish = async (ws: Workspace, id: string) => expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/unpublish`), 200)
const edit = async (ws: Workspace, id: string) =>
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': randomUUID() } }), 200)

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  const draft = await ws.instance('promo', { values: { '#title': 'secret canary' } }, { publish: false })
  return { ws, id: draft.id as string }
}

test('C-STREAM-01 C-STREAM-02 C-AUTH-29 the answer is an open event stream whose first line is the comment ": connected"', async () => {
  const { ws } = await shop()
  for (const stream of [
    await listen(ws.live),
    await openStream(`${ADDRESS}?key=${ws.live}`),
    await openStream(`${url}/api/v1/sdk/stream?key=${ws.live}`),
  ]) {
    assert.equal(stream.status, 200)
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(stream.headers.get('cache-control'), 'no-cache')
    assert.equal(stream.headers.get('x-cf-env'), 'live')
    assert.equal(stream.headers.get('access-control-allow-origin'), '*')
    await stream.until('the first line', () => stream.text().includes('\n'))
    assert.equal(stream.text().split('\n')[0], ': connected')
    stream.close()
  }
})

const postgres = { skip: ctx.engine === 'embedded' && 'one connection: nothing is published while content is read' }

test(
  'C-STREAM-02 C-STREAM-03 a stream is greeted when it is known where it begins, so what is published after that is told',
  postgres,
  async () => {
    const { ws, id } = await shop()
    let stream: Awaited<ReturnType<typeof listen>> | undefined
    let opening: Promise<void> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      // Nobody can read content meanwhile.
      await sql`lock table block_definitions in access exclusive mode`.execute(tx)
      opening = listen(ws.live).then((opened) => void (stream = opened))
      await until('its content is asked for', async () => (await countWaiting(ctx.db)) > 0)
      await setTimeout(200)
      assert.equal(stream?.text() ?? '', '')
    })
    await opening
    assert.ok(stream)
    const { text, next, close, until: untilSeen } = stream
    await untilSeen('the greeting', () => text() !== '')
    await publish(ws, id)
    assert.equal((await next()).event, 'block.published')
    assert.match(text(), /^: connected\n/)
    close()
  },
)

test('C-AUTH-30 a stream with a bad key, two keys or none is refused', async () => {
  const { ws } = await shop()
  for (const [address, code] of [
    ['/stream', 'MISSING_SDK_KEY'],
    ['/stream?key=bad', 'INVALID_SDK_KEY'],
    ['/stream?key=', 'INVALID_SDK_KEY'],
    [`/stream?key=${ws.live}&key=${ws.live}`, 'INVALID_SDK_KEY'],
    [`/stream?key[]=${ws.live}`, 'MISSING_SDK_KEY'],
  ] as const) {
    const answer = await anyone.get(`/sdk/v1${address}`)
    assert.deepEqual([answer.status, answer.body.code], [401, code], address)
  }
})

test('a key in the header beats one in the query', async () => {
  const [a, b] = [await shop(), await shop()]
  const stream = await openStream(`${ADDRESS}?key=${b.ws.live}`, { 'x-cf-key': a.ws.test })
  assert.equal(stream.headers.get('x-cf-env'), 'test')
  await publish(b.ws, b.id)
  await publish(a.ws, a.id, 'test')
  await stream.next()
  assert.equal(stream.events.length, 1)
  const refused = await anyone.get(`/sdk/v1/stream?key=${b.ws.live}`, { headers: { 'x-cf-key': 'garbage' } })
  assert.equal(refused.status, 401)
  stream.close()
})

test('C-STREAM-06 M-INST-08 publish, edit, unpublish, archive and a switch have their names, and ids grow', async () => {
  const { ws, id } = await shop()
  const stream = await listen(ws.live)
  const steps: [string, () => Promise<unknown>][] = [
    ['block.published', () => publish(ws, id)],
    ['block.updated', () => edit(ws, id)],
    ['block.unpublished', () => unpublish(ws, id)],
    ['block.published', () => publish(ws, id)],
    ['block.updated', () => ws.block('promo', { name: 'Renamed' })],
    ['config.updated', () => ws.admin.put('/settings/features', { features: { campaigns: false } })],
    ['block.archived', () => ws.admin.delete('/blocks/promo')],
  ]
  const ids: number[] = []
  for (const [name, step] of steps) {
    await step()
    const event = await stream.next()
    assert.equal(event.event, name)
    assert.match(event.id ?? '', /^\d+$/)
    ids.push(Number(event.id))
  }
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(stream.events.length, steps.length)
  stream.close()
})

test('C-STREAM-07 an event holds nothing of the content: an id, a name and {}', async () => {
  const { ws, id } = await shop()
  const stream = await listen(ws.live)
  await publish(ws, id)
  const event = await stream.next()
  // On a busy machine a sign of life comes before it.
  const text = stream.text().replaceAll(': keep-alive\n\n', '')
  assert.equal(text, `: connected\n\nid: ${event.id}\nevent: block.published\ndata: {}\n\n`)
  stream.close()
})

test('C-STREAM-08 when the signal arrives, sync has the change, for every kind of change', async () => {
  const { ws, id } = await shop()
  const stream = await listen(ws.live)
  for (let round = 0; round < 5; round++) {
    await publish(ws, id)
    await stream.next()
    assert.equal((await ws.blocks()).length, 1)
    await edit(ws, id)
    await stream.next()
    const { version } = (await ws.blocks())[0]
    assert.equal(version, round + 2)
    await unpublish(ws, id)
    await stream.next()
    assert.deepEqual(await ws.blocks(), [])
  }
  stream.close()
})

test('C-STREAM-09 a publish reaches a hundred connected clients within three seconds', async () => {
  const { ws, id } = await shop()
  const streams = await Promise.all(Array.from({ length: 100 }, () => listen(ws.live)))
  await publish(ws, id)
  const events = await Promise.all(streams.map((stream) => stream.next()))
  assert.equal(new Set(events.map((event) => event.id)).size, 1)
  for (const stream of streams) stream.close()
})

test('C-STREAM-10 sync is current without any stream', async () => {
  const { ws, id } = await shop()
  assert.equal((await ws.app.get('/sync')).data.config.pollIntervalSeconds, 30)
  await publish(ws, id)
  assert.equal((await ws.blocks()).length, 1)
})

test('C-STREAM-14 only changes of the own workspace are signalled', async () => {
  const [a, b] = [await shop(), await shop()]
  const stream = await listen(a.ws.live)
  await publish(b.ws, b.id)
  await edit(b.ws, b.id)
  await b.ws.admin.put('/settings/features', { features: { campaigns: false } })
  await publish(a.ws, a.id)
  assert.equal((await stream.next()).event, 'block.published')
  assert.equal(stream.events.length, 1)
  stream.close()
})

test('a live key hears nothing of test-only changes, a test key hears both', async () => {
  const { ws, id } = await shop()
  const [live, testing] = [await listen(ws.live), await listen(ws.test)]
  await publish(ws, id, 'test')
  await edit(ws, id)
  await publish(ws, id)
  assert.equal((await live.next()).event, 'block.published')
  assert.equal(live.events.length, 1)
  for (const name of ['block.published', 'block.updated', 'block.published']) assert.equal((await testing.next()).event, name)
  live.close()
  testing.close()
})

test('saves that nobody is served wake no stream: drafts, new types, unchanged content, a second publish', async () => {
  const { ws, id } = await shop()
  await publish(ws, id)
  const stream = await listen(ws.live)
  await publish(ws, id)
  await ws.block('promo')
  await ws.block('newcomer', { seedInstance: true })
  await ws.instance('promo', { values: { '#title': 'draft' } }, { publish: false })
  const { values } = (await ws.blocks())[0]
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values }), 200)
  // The look for lost signals tells changes again.
  await untilPolledTwice(ctx)
  await unpublish(ws, id)
  assert.equal((await stream.next()).event, 'block.unpublished')
  assert.equal(stream.events.length, 1)
  stream.close()
})

test('C-STREAM-04 C-STREAM-05 whoever reconnects with an older id is signalled once at once; with the newest id nothing is repeated', async () => {
  const { ws, id } = await shop()
  const first = await listen(ws.live)
  await publish(ws, id)
  const missedFrom = (await first.next()).id ?? ''
  first.close()
  await edit(ws, id)
  await unpublish(ws, id)

  const back = await listen(ws.live, missedFrom)
  assert.equal(back.status, 200)
  const caught = await back.next()
  assert.equal(caught.event, 'block.unpublished', 'one signal of the newest name')
  assert.equal(back.text().split('\n')[0], ': connected')
  assert.ok(Number(caught.id) > Number(missedFrom))

  const current = await listen(ws.live, caught.id)
  await publish(ws, id)
  assert.equal((await current.next()).event, 'block.published')
  assert.equal(current.events.length, 1, 'nothing was missed, so nothing is repeated')
  assert.equal((await back.next()).event, 'block.published')
  assert.equal(back.events.length, 2)
  back.close()
  current.close()
})

test('C-STREAM-04 any text is accepted as Last-Event-ID and never brings another workspace forth', async () => {
  const [{ ws, id }, other] = [await shop(), await shop()]
  await publish(ws, id)
  for (let i = 0; i < 4; i++) await edit(ws, id)
  await publish(other.ws, other.id)
  for (const lastEventId of ['1', '0', '-1', '', 'abc', '1e9', '99999999999999999999', ' ', '\u00e9', 'x'.repeat(8_000), other.id]) {
    const stream = await listen(ws.live, lastEventId)
    assert.equal(stream.status, 200)
    await stream.until('the greeting', () => stream.comments[0] === 'connected')
    const event = await stream.next()
    assert.deepEqual([event.event, event.data], ['block.updated', '{}'], lastEventId)
    stream.close()
  }
  const silent = await workspace()
  const stream = await listen(silent.live, '1')
  await silent.block('promo')
  await silent.instance('promo')
  assert.equal((await stream.next()).event, 'block.published')
  assert.equal(stream.events.length, 1, 'where nothing was ever signalled there is nothing to catch up on')
  stream.close()
})

test('C-STREAM-05 whoever opens with the id of an answer is told of what came after it, and of nothing else', async () => {
  const { ws, id } = await shop()
  await publish(ws, id)
  const read = async () => expectStatus(await ws.app.get('/sync'), 200).headers.get('x-cf-last-event-id') ?? ''
  const first = await read()
  assert.match(first, /^\d+\.0$/)
  const { etag } = Object.fromEntries((await ws.app.get('/sync')).headers)
  const same = await ws.app.get('/sync', { headers: { 'if-none-match': etag ?? '' } })
  assert.deepEqual([same.status, same.headers.get('x-cf-last-event-id')], [304, first])
  const knowing = await listen(ws.live, first)
  await edit(ws, id)
  const told = await knowing.next()
  assert.equal(knowing.events.length, 1, 'the publish before the answer is no news')
  knowing.close()
  const late = await listen(ws.live, first)
  assert.deepEqual([(await late.next()).event, late.events.at(-1)?.id], ['block.updated', told.id])
  late.close()
  const beyond = await listen(ws.live, `${Number.parseInt(await read()) + 1_000}.0`)
  await beyond.next()
  beyond.close()
})

test('C-STREAM-05 every stream that is away during a publish learns of it, whenever it comes back', async () => {
  const { ws, id } = await shop()
  await publish(ws, id)
  const first = await listen(ws.live, '0')
  let last = (await first.next()).id ?? ''
  first.close()
  for (let round = 0; round < 10; round++) {
    // Reconnecting and the change race each other; either way the stream must hear of it.
    const [stream] = await Promise.all([listen(ws.live, last), edit(ws, id)])
    const event = await stream.next()
    assert.ok(Number(event.id) > Number(last))
    last = event.id ?? ''
    stream.close()
  }
})
