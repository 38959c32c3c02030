import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { insertDevice } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, ctx, advance, operator, url } = await startApp()

const titles = (blocks: any[]) => blocks.map((block) => block.values['#title']).sort()
const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1000).toISOString()

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  return ws
}

test('C-SYNC-20 an instance is delivered inside its schedule only, whichever ends are open', async () => {
  const ws = await shop()
  for (const [title, schedule] of [
    ['future', { startTime: inSeconds(3600) }],
    ['past', { endTime: inSeconds(-3600) }],
    ['future window', { startTime: inSeconds(60), endTime: inSeconds(120) }],
    ['past window', { startTime: inSeconds(-120), endTime: inSeconds(-60) }],
    ['current window', { startTime: inSeconds(-60), endTime: inSeconds(60) }],
    ['begun', { startTime: inSeconds(-60) }],
    ['not ended', { endTime: inSeconds(60) }],
    ['none', null],
    ['empty', {}],
  ] as const)
    await ws.instance('promo', { schedule, values: { '#title': title } })
  assert.deepEqual(titles(await ws.blocks()), ['begun', 'current window', 'empty', 'none', 'not ended'])
  const single = await ws.app.get('/blocks/promo')
  assert.equal(single.data.instances.length, 5)
})

test('C-SYNC-20 C-SYNC-04 a schedule changes answer and ETag without a publish, and never serves an old answer again', async () => {
  const ws = await shop()
  await ws.instance('promo', { values: { '#title': 'always' } })
  await ws.instance('promo', { values: { '#title': 'window' }, schedule: { startTime: inSeconds(100), endTime: inSeconds(200) } })
  const ask = async (etag = '') => {
    const answer = await ws.app.get('/sync', { headers: { 'if-none-match': etag } })
    return {
      status: answer.status,
      etag: answer.headers.get('etag') ?? '',
      titles: answer.status === 304 ? undefined : titles(answer.data.blocks),
    }
  }
  const before = await ask()
  assert.deepEqual(before.titles, ['always'])
  await advance(90)
  assert.equal((await ask(before.etag)).status, 304)
  await advance(15)
  const during = await ask(before.etag)
  assert.deepEqual([during.status, during.titles], [200, ['always', 'window']])
  assert.notEqual(during.etag, before.etag)
  await advance(80)
  assert.equal((await ask(during.etag)).status, 304)
  await advance(20)
  const after = await ask(during.etag)
  assert.deepEqual([after.status, after.titles], [200, ['always']])
  assert.equal(after.etag, before.etag, 'the same content has the same tag')
})

test('C-SYNC-20 the start belongs to the window and the end does not', async () => {
  const ws = await shop()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  const [start, end] = [inSeconds(1_000), inSeconds(2_000)]
  await ws.instance('promo', { values: { '#title': 'window' }, schedule: { startTime: start, endTime: end } })
  const at = (time: string) => new Date(time).getTime()
  // The clock runs on by itself: whole seconds are jumped, the rest is waited for by asking.
  for (const [edge, isSeen] of [
    [start, true],
    [end, false],
  ] as const) {
    await advance(Math.max(0, Math.ceil((at(edge) - ctx.clock.ms()) / 1000) - 1))
    for (;;) {
      const asked = ctx.clock.ms()
      const isThere = (await ws.blocks()).length === 1
      const answered = ctx.clock.ms()
      if (answered < at(edge)) assert.equal(isThere, !isSeen)
      if (asked >= at(edge)) {
        assert.equal(isThere, isSeen)
        break
      }
    }
  }
})

test('C-SYNC-20 a device of the segment sees its scheduled instance appear, another device keeps its 304', async () => {
  const ws = await shop()
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'gold later' }, schedule: { startTime: inSeconds(100) } })
  const gold = ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': await insertDevice(ctx, ws.id, randomUUID(), { segments: ['Gold'] }) })
  const etagOf = async (client: typeof gold) => (await client.get('/sync')).headers.get('etag') ?? ''
  const [goldEtag, plainEtag] = [await etagOf(gold), await etagOf(ws.app)]
  await advance(101)
  assert.deepEqual(titles((await gold.get('/sync', { headers: { 'if-none-match': goldEtag } })).data.blocks), ['gold later'])
  assert.equal((await ws.app.get('/sync', { headers: { 'if-none-match': plainEtag } })).status, 304)
})

test('C-SYNC-20 a scheduled variant test begins and ends with its instance', async () => {
  const ws = await shop()
  const variants = ['a', 'b'].map((id) => ({ id, weight: 1, values: { '#title': id } }))
  await ws.instance('promo', { values: { '#title': 'base' }, variants, schedule: { startTime: inSeconds(100), endTime: inSeconds(200) } })
  const devices = Array.from({ length: 40 }, () => randomUUID())
  const ask = async () => new Set((await Promise.all(devices.map((device) => ws.blocks(device)))).map((blocks) => titles(blocks).join()))
  assert.deepEqual(await ask(), new Set(['']))
  await advance(101)
  assert.deepEqual(await ask(), new Set(['a', 'b']))
  await advance(100)
  assert.deepEqual(await ask(), new Set(['']))
})

test('C-STREAM-08 a schedule that begins or ends signals the open streams, and sync then shows it', async () => {
  const ws = await shop()
  await ws.instance('promo', { values: { '#title': 'window' }, schedule: { startTime: inSeconds(1_000), endTime: inSeconds(2_000) } })
  assert.deepEqual(await ws.blocks(), [])
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  await advance(1_001)
  assert.equal((await stream.next()).event, 'block.updated')
  assert.deepEqual(titles(await ws.blocks()), ['window'])
  await advance(1_000)
  assert.equal((await stream.next()).event, 'block.updated')
  assert.deepEqual(await ws.blocks(), [])
  stream.close()
})

test('C-STREAM-05 C-STREAM-08 a stream of an application that has not synced here yet is signalled of a schedule as well', async () => {
  const ws = await shop()
  await ws.instance('promo', { values: { '#title': 'later' }, schedule: { startTime: inSeconds(1_000) } })
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  await advance(1_001)
  const { event, id } = await stream.next()
  assert.equal(event, 'block.updated')
  stream.close()
  // Whoever comes back with it missed nothing.
  assert.match(id ?? '', /^[1-9]\d*$/)
  const again = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live, 'last-event-id': id ?? '' })
  await again.until('the greeting', () => again.comments.length > 0)
  await ws.instance('promo', { values: { '#title': 'news' } })
  assert.ok(Number((await again.next()).id) > Number(id))
  again.close()
})

test('C-STREAM-08 a schedule that turned between an answer and the stream that names it is told', async () => {
  const ws = await shop()
  await ws.instance('promo', { values: { '#title': 'later' }, schedule: { startTime: inSeconds(1_000) } })
  const read = async () => (await ws.app.get('/sync')).headers.get('x-cf-last-event-id') ?? ''
  const before = await read()
  await advance(1_001)
  const late = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live, 'last-event-id': before })
  await late.next()
  late.close()
  const knowing = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live, 'last-event-id': await read() })
  await knowing.until('the greeting', () => knowing.comments.length > 0)
  await ws.instance('promo', { values: { '#title': 'news' } })
  await knowing.next()
  assert.equal(knowing.events.length, 1)
  knowing.close()
})

test('C-BLK-06 a changed schedule counts at once and raises the version', async () => {
  const ws = await shop()
  const made = await ws.instance('promo', { values: { '#title': 'x' }, schedule: { startTime: inSeconds(1_000) } })
  assert.deepEqual(await ws.blocks(), [])
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${made.id}`, { schedule: null }), 200)
  const [block] = await ws.blocks()
  assert.ok(block.version > made.version)
})
