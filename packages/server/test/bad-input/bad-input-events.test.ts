/** Hostile batches of events: refused as a whole and without a trace, or stored as plain data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LIMITS } from '@contentflow/core/limits.ts'
import { clientOf, expectStatus, type Answer, type Workspace } from '../builders/builders.ts'
import { countsOf, repeat, rollUp } from '../builders/events.ts'
import { identify } from '../builders/people.ts'
import { send as sendRaw, sendBytes, statusOf } from '../harness/raw.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { startApp, startOn } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'

const started = await startApp()
const { ctx, workspace, operator, advance, url } = started

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await identify(ws.app, 'D')
  return ws
}

const sendBody = (ws: Workspace, raw: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> =>
  ws.app.post('/events', undefined, { raw, headers: { 'x-cf-device': 'D', ...headers } })
const sendEvents = (ws: Workspace, events: unknown[]) => sendBody(ws, JSON.stringify({ events }))
const stored = ({ id }: Workspace) => ctx.db.selectFrom('events').selectAll().where('workspace_id', '=', id).execute()

/** What was sent before is counted first, which would happen a second later anyway. */
async function changingNothing(work: () => Promise<void>): Promise<void> {
  await rollUp(operator)
  const before = await hashTables(ctx.db)
  await work()
  assert.equal(await hashTables(ctx.db), before)
}

/** The head of a batch of exactly this many bytes. */
function padded(bytes: number): string {
  const [start, end] = ['{"events":[{"type":"impression"}],"ignored":"', '"}']
  return start + 'x'.repeat(bytes - start.length - end.length) + end
}

test('C-EVT-04 G-21 G-96 a type of a megabyte refuses the batch; other members that are too long are left out', async () => {
  const ws = await shop()
  const huge = 'x'.repeat(900_000)
  await changingNothing(async () => {
    for (const event of [{ type: huge }, { type: 'a', eventId: huge }]) assertRefusal(await sendEvents(ws, [{ type: 'a' }, event]), 400)
    assertRefusal(await sendEvents(ws, [{ type: 'x'.repeat(1_000_000) }]), 413)
  })
  const names = ['blockKey', 'instanceId', 'campaignId', 'screen', 'fenceId', 'currency']
  for (const name of names) expectStatus(await sendEvents(ws, [{ type: 'a', [name]: huge }]), 202)
  const { accepted, dropReasons } = expectStatus(await sendEvents(ws, [{ type: 'a', properties: { huge } }]), 202).data
  assert.deepEqual([accepted, dropReasons], [0, { properties_too_large: 1 }])
  const rows = await stored(ws)
  assert.equal(rows.length, names.length)
  for (const row of rows)
    assert.deepEqual(
      [row.block_key, row.instance_id, row.campaign_id, row.screen, row.fence_id, row.currency],
      [null, null, null, null, null, null],
    )
})

test('a body of a million bytes is taken, one byte more is 413, also when it is only announced; a length that lies is 400; a body that never ends is 408', async () => {
  const ws = await shop()
  const body = JSON.stringify({ events: [{ type: 'impression' }] })
  const head = (length: string, root = '/sdk/v1') =>
    `POST ${root}/events HTTP/1.1\r\nHost: x\r\nX-CF-Key: ${ws.live}\r\nX-CF-Device: D\r\n${length}\r\n\r\n`
  const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}`
  expectStatus(await sendBody(ws, padded(LIMITS.clientBodyBytes)), 202)
  await changingNothing(async () => {
    assertRefusal(await sendBody(ws, padded(LIMITS.clientBodyBytes + 1)), 413)
    // Less than is sent.
    assert.equal(statusOf(await sendBytes(url, head('Content-Length: 10') + body)), 400)
    // More than is sent: told at once when it is too much, and nothing of it is ever stored. All together, because
    // each is held for the rest of its body until that is late, after 30 seconds.
    const large = ['/sdk/v1', '/api/v1/sdk'].flatMap((root) => [
      head('Content-Length: 10000000', root),
      head('Transfer-Encoding: chunked', root) + chunk('x'.repeat(2_000_000)),
    ])
    const campaigns = head('Content-Type: application/json\r\nContent-Length: 5000').replace('/events', '/campaigns')
    const endless = [head('Content-Length: 5000') + body, head('Transfer-Encoding: chunked') + chunk(body), campaigns, campaigns + body]
    const answers = await Promise.all([...large, ...endless].map((bytes) => sendBytes(url, bytes)))
    assert.deepEqual(answers.map(statusOf), [413, 413, 413, 413, 408, 408, 408, 408])
  })
  expectStatus(await sendBody(ws, body), 202)
})

test('a compressed batch is 415, however small it was made', async () => {
  const ws = await shop()
  await changingNothing(async () => {
    for (const raw of [gzipSync(JSON.stringify({ events: [{ type: 'impression' }] })), gzipSync('0'.repeat(100_000_000))])
      assertRefusal(await sendBody(ws, raw, { 'content-encoding': 'gzip' }), 415)
    // Not announced as compressed it is no JSON.
    assertRefusal(await sendBody(ws, gzipSync('{"events":[]}')), 400)
  })
})

test('hostile JSON is 400 and stores nothing of the batch; a byte order mark is taken, 60,000 properties are too many', async () => {
  const ws = await shop()
  const batch = (event: string) => `{"events":[{"type":"impression"},${event}]}`
  const bad: [string, string | Buffer][] = [
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"events":[{"type":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}]}')])],
    ['UTF-16', Buffer.from(batch('{"type":"a"}'), 'utf16le')],
    ['NaN', batch('{"type":"a","value":NaN}')],
    ['Infinity', batch('{"type":"a","value":1e999}')],
    ['a trailing comma', batch('{"type":"a",}')],
    ['a trailing comma in the list', '{"events":[{"type":"a"},]}'],
    ['100,000 levels', batch(`{"type":"a","properties":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`)],
    ['100,000 levels of objects', batch(`{"type":"a","properties":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)],
    ['a member twice', batch('{"type":"a","type":"sign_in"}')],
    ['NUL', batch('{"type":"a\\u0000"}')],
    ['NUL in a property', batch('{"type":"a","properties":{"a\\u0000":1}}')],
    ['half a surrogate', batch('{"type":"a","screen":"\\ud800"}')],
    ['cut off', batch('{"type":"a"}').slice(0, -1)],
    ['two bodies', '{"events":[]}{"events":[]}'],
  ]
  await changingNothing(async () => {
    for (const [what, raw] of bad) assertRefusal(await sendBody(ws, raw), 400, what)
  })
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]))
  assert.equal(expectStatus(await sendEvents(ws, [{ type: 'many', properties: many }]), 202).data.accepted, 0)
  expectStatus(await sendBody(ws, `\uFEFF${JSON.stringify({ events: [{ type: 'bom' }] })}`), 202)
  const rows = await stored(ws)
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['bom'],
  )
})

test('markup, quotes, statements and names of the language are stored as they are and counted under their own name', async () => {
  const ws = await shop()
  const odd = [
    '<img src=x onerror=alert(1)>',
    `"'\`;\\`,
    "'); drop table events; --",
    '${1+1} {{7*7}} %00 %s',
    '__proto__',
    'constructor',
    '\u202e',
    '😀e\u0301é',
    '{"a":1}',
    '{,NULL,"x"}',
    'NULL',
    '../../etc/passwd',
  ]
  const events = odd.map((text) => ({ type: text, screen: text, blockKey: text, properties: { [text]: text }, eventId: text }))
  assert.equal(expectStatus(await sendEvents(ws, events), 202).data.accepted, odd.length)
  assert.equal(expectStatus(await sendEvents(ws, events), 202).data.accepted, odd.length)
  const rows = await stored(ws)
  assert.deepEqual(rows.map(({ type }) => type).sort(), odd.toSorted())
  for (const { type, screen, block_key, properties } of rows) {
    assert.deepEqual([screen, block_key], [type, type])
    // JSON of the client's own may not say what an object is made of.
    assert.deepEqual(properties, type === '__proto__' ? {} : { [type]: type })
  }
  await rollUp(operator)
  for (const text of odd) assert.equal((await countsOf(ws, text)).total, 1, text)
})

test('C-EVT-24 a device of the other environment is refused under both roots, and what it sent is nowhere', async () => {
  const ws = await shop()
  await changingNothing(async () => {
    for (const root of ['/sdk/v1', '/api/v1/sdk']) {
      const refused = await clientOf(`${url}${root}`, { 'x-cf-key': ws.test }).post('/events', {
        deviceId: 'D',
        events: repeat(3, { type: 'a' }),
      })
      assertRefusal(refused, 409)
      assert.equal(refused.body.code, 'DEVICE_ENVIRONMENT_MISMATCH')
    }
  })
})

test('headers of a device that are odd or said twice are one device or none', async () => {
  const ws = await shop()
  await changingNothing(async () => {
    for (const deviceId of ['', ' ', 'x'.repeat(5_000), 7, null, {}, ['D']]) {
      const answer = await ws.app.post('/events', { deviceId, events: [{ type: 'a' }] })
      if (answer.status === 202) assert.deepEqual(answer.data, { accepted: 0, dropped: 1, dropReasons: { device_not_identified: 1 } })
      else assertRefusal(answer, 400, JSON.stringify(deviceId)?.slice(0, 50))
    }
    const body = '{"events":[{"type":"a"}]}'
    const twice = await sendRaw(url, '/sdk/v1/events', {
      method: 'POST',
      headers: { 'x-cf-key': ws.live, 'x-cf-device': ['D', 'E'] },
      body,
    })
    assert.ok([202, 400].includes(twice.status))
  })
})

if (process.env['TEST_DATABASE_URL'])
  test('C-EVT-03 the same batch five times at once on two processes, and an hour later, is stored and counted once', async () => {
    const other = await startOn(started.databaseEnv)
    try {
      const ws = await shop()
      const names = Array.from({ length: 60 }, (_, index) => `e${index}`)
      const batch = names.map((eventId) => ({ type: 'impression', blockKey: 'promo', eventId }))
      const at = (origin: string) => clientOf(`${origin}/sdk/v1`, { 'x-cf-key': ws.live })
      const sendAll = () =>
        Promise.all(
          [url, other.url].flatMap((origin) =>
            Array.from({ length: 5 }, (_, index) =>
              at(origin).post('/events', { deviceId: 'D', events: index % 2 === 0 ? batch : batch.toReversed() }),
            ),
          ),
        )
      for (let time = 0; time < 2; time++) {
        for (const answer of await sendAll())
          assert.deepEqual(expectStatus(answer, 202).data, { accepted: 60, dropped: 0, dropReasons: {} })
        await advance(3_600)
        await other.advance(3_600)
      }
      assert.equal((await stored(ws)).length, 60)
      await rollUp(operator)
      assert.equal((await countsOf(ws, 'promo')).impressions, 60)
    } finally {
      await other.stop()
    }
  })
