/** The inbox of a client against a server that the test plays: answers that get lost, come late, or overtake each other (decision 68). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inbox, type InboxItem } from './inbox.ts'
import type { ClientRequest } from './campaign-types.ts'
import { memoryStorage } from './shell/storage.ts'
import type { Client, ClientEvents, Snapshot, Storage } from './types.ts'

type Asked = { call: ClientRequest; answer(value: object): Promise<void>; fail(error: object): Promise<void> }

const item = (id: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id,
  title: id,
  body: null,
  image: null,
  button: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  readAt: null,
  archivedAt: null,
  ...more,
})
const page = (items: InboxItem[], revision: number, unread = items.filter(({ readAt }) => readAt === null).length) => ({
  success: true,
  data: { items, unread, revision },
  metadata: { nextCursor: null },
})
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** A client whose requests the test answers, in the order that it likes. */
function openClient(storage?: Storage) {
  const asked: Asked[] = []
  const tracked: string[] = []
  const heard = new Map<string, (value: never) => void>()
  let listener = () => {}
  let snapshot = { deviceId: 'D', userId: 'U', consent: 'granted', channels: { inApp: true } } as unknown as Snapshot
  const client = {
    request: (call: ClientRequest) =>
      new Promise((resolve, reject) => {
        asked.push({
          call,
          answer: async (value) => (resolve(value), settled()),
          fail: async (error) => (reject(Object.assign(new Error('failed'), error)), settled()),
        })
      }),
    on: <Name extends keyof ClientEvents>(name: Name, each: (value: ClientEvents[Name]) => void) => {
      heard.set(name, each)
      return () => void heard.delete(name)
    },
    subscribe: (each: () => void) => {
      listener = each
      return () => {}
    },
    snapshot: () => snapshot,
    track: ({ type }: { type: string }) => void tracked.push(type),
  } as unknown as Client
  const become = async (userId: string) => {
    snapshot = { ...snapshot, userId }
    listener()
    await settled()
  }
  const synced = async () => {
    heard.get('synced')?.(undefined as never)
    await settled()
  }
  const next = async (): Promise<Asked> => {
    await settled()
    return asked.shift() ?? assert.fail('nothing was asked')
  }
  return { client, messages: inbox(client, { ...(storage && { storage }) }), asked, tracked, become, synced, next }
}

test('what the person does is seen at once, and an answer that is older than what is known is dropped', async () => {
  const { client, messages, next, synced, asked, tracked } = openClient()
  assert.equal(inbox(client), messages)
  const stop = messages.subscribe(() => {})
  assert.equal(messages.snapshot().isLoading, true)
  await (await next()).answer(page([item('b'), item('a')], 2))
  assert.deepEqual([messages.snapshot().unread, messages.snapshot().isLoading], [2, false])

  // A question is under way while the person reads a message; its answer is of before.
  await synced()
  const early = await next()
  messages.markRead('a')
  assert.equal(messages.snapshot().unread, 1)
  const write = await next()
  assert.deepEqual(write.call, { method: 'POST', path: '/inbox/a', body: { read: true } })
  await write.answer({ data: { unread: 1, revision: 3 } })
  await early.answer(page([item('b'), item('a')], 2))
  assert.equal(messages.snapshot().unread, 1, 'the older answer counts for nothing')
  await (await next()).answer(page([item('b'), item('a', { readAt: 'now' })], 3))
  assert.deepEqual([messages.snapshot().unread, asked.length], [1, 0])
  assert.deepEqual(tracked, [], 'of no campaign')
  stop()
})

test('without a connection changes wait in their order, and a change that is refused is taken back', async () => {
  const { messages, next, synced, asked } = openClient()
  messages.subscribe(() => {})
  await (await next()).answer(page([item('b'), item('a')], 2))
  messages.archive('a')
  messages.markRead('b')
  assert.deepEqual([messages.snapshot().items.map(({ id }) => id), messages.snapshot().unread], [['b'], 0])
  await (await next()).fail({ status: 0, code: 'NETWORK' })
  assert.equal(asked.length, 0, 'it is not tried over and over')
  await synced()
  const archive = await next()
  assert.equal(archive.call.path, '/inbox/a')
  await archive.fail({ status: 404 })
  const calls = [await next(), await next()]
  const read = calls.find(({ call }) => call.method === 'POST')
  assert.equal(read?.call.path, '/inbox/b')
  await read?.answer({ data: { unread: 1, revision: 3 } })
  await calls.find(({ call }) => call.method === 'GET')?.answer(page([item('b', { readAt: 'now' }), item('a')], 3))
  assert.deepEqual([messages.snapshot().items.map(({ id }) => id), messages.snapshot().unread], [['b', 'a'], 1])
})

test('another person begins with nothing, whatever was under way', async () => {
  const { messages, next, become } = openClient()
  messages.subscribe(() => {})
  await (await next()).answer(page([item('a')], 7))
  messages.markRead('a')
  const late = await next()
  await become('V')
  assert.deepEqual([messages.snapshot().items, messages.snapshot().unread], [[], 0])
  await late.answer({ data: { unread: 0, revision: 8 } })
  await (await next()).answer(page([item('v')], 1))
  assert.deepEqual([messages.snapshot().items.map(({ id }) => id), messages.snapshot().unread], [['v'], 1])
})

test('a server that was set back is believed: there is no question without end', async () => {
  const { messages, next, synced, asked } = openClient()
  messages.subscribe(() => {})
  await (await next()).answer(page([item('a')], 7))
  await synced()
  await (await next()).answer(page([], 2))
  assert.deepEqual([messages.snapshot().items, asked.length], [[], 0])
})

test('reading a message of a campaign is counted once, its button each time', async () => {
  const { messages, next, tracked } = openClient()
  messages.subscribe(() => {})
  await (await next()).answer(page([item('a', { campaignId: 'c' })], 2))
  messages.click('a')
  messages.markRead('a')
  messages.click('a')
  assert.deepEqual(tracked, ['cta_click', 'impression', 'cta_click'])
})

test('why older messages did not come stands in the snapshot until they do', async () => {
  const { messages, next } = openClient()
  const stop = messages.subscribe(() => {})
  await (await next()).answer({ ...page([item('b')], 1), metadata: { nextCursor: 'older' } })
  const refused = messages.more()
  await (await next()).fail({ status: 503 })
  await refused
  const { error, items, hasMore } = messages.snapshot()
  assert.deepEqual([(error as { status?: number }).status, items.length, hasMore], [503, 1, true])
  const taken = messages.more()
  await (await next()).answer(page([item('a')], 1))
  await taken
  assert.deepEqual([messages.snapshot().error, messages.snapshot().items.map(({ id }) => id)], [undefined, ['b', 'a']])
  stop()
})

/** As the storage of React Native is. */
function slowStorage(of: Storage): Storage {
  const later = async <T>(work: () => T): Promise<T> => settled().then(work)
  return {
    getItem: (key) => later(() => of.getItem(key) as string | null),
    setItem: (key, value) => later(() => of.setItem(key, value)) as Promise<void>,
  }
}

for (const [kind, wrap] of [
  ['at once', (of: Storage) => of],
  ['with promises', slowStorage],
] as const)
  test(`what was done without a connection survives a reload, in its order (storage that answers ${kind})`, async () => {
    const kept = memoryStorage()
    const before = openClient(wrap(kept))
    before.messages.subscribe(() => {})
    await (await before.next()).answer(page([item('c'), item('b'), item('a')], 3))
    before.messages.archive('a')
    before.messages.markRead('b')
    before.messages.readAll()
    await (await before.next()).fail({ status: 0, code: 'NETWORK' })
    for (let writes = 0; writes < 12; writes++) await settled()

    const { messages, asked } = openClient(wrap(kept))
    messages.subscribe(() => {})
    for (let reads = 0; reads < 12; reads++) await settled()
    const list = asked.find(({ call }) => call.method === 'GET')
    await list?.answer(page([item('c'), item('b'), item('a')], 3))
    assert.deepEqual([messages.snapshot().items.map(({ id }) => id), messages.snapshot().unread], [['c', 'b'], 0])
    const sent: unknown[] = []
    for (let revision = 4; revision < 7; revision++) {
      for (let turns = 0; turns < 12; turns++) await settled()
      const write = asked.findLast(({ call }) => call.method === 'POST')
      assert.ok(write)
      sent.push([write.call.path, write.call.body])
      await write.answer({ data: { unread: 0, revision } })
    }
    assert.deepEqual(sent, [
      ['/inbox/a', { archived: true }],
      ['/inbox/b', { read: true }],
      ['/inbox/read-all', { upTo: 'c' }],
    ])
    for (let writes = 0; writes < 12; writes++) await settled()
    assert.match(String(await kept.getItem('contentflow:1:inbox')), /"changes":\[\]/)
  })

test('what waits of one person is never sent for another, and what is malformed is as if it was never stored', async () => {
  const kept = memoryStorage()
  const before = openClient(kept)
  before.messages.subscribe(() => {})
  await (await before.next()).answer(page([item('a')], 3))
  before.messages.markRead('a')
  await (await before.next()).fail({ status: 0, code: 'NETWORK' })
  await before.become('V')
  const calls = before.asked.filter(({ call }) => call.method === 'POST')
  assert.equal(calls.length, 0)
  for (const odd of [
    '',
    'null',
    '[]',
    '{"owner":1}',
    '{"owner":"[\\"D\\",\\"U\\"]","changes":[null,{"id":1},{"id":"x","at":"y","kind":"constructor"}]}',
  ]) {
    void kept.setItem('contentflow:1:inbox', odd)
    const { messages, asked, next } = openClient(kept)
    messages.subscribe(() => {})
    await (await next()).answer(page([item('a')], 3))
    assert.deepEqual([asked.length, messages.snapshot().unread], [0, 1], odd)
  }
})

test('a change that another tab has sent meanwhile is not sent again', async () => {
  const kept = memoryStorage()
  const [one, other] = [openClient(kept), openClient(kept)]
  one.messages.subscribe(() => {})
  await (await one.next()).answer(page([item('a')], 3))
  one.messages.markRead('a')
  await (await one.next()).fail({ status: 0, code: 'NETWORK' })
  // The other tab is opened afterwards, finds it, and has a connection.
  other.messages.subscribe(() => {})
  await settled()
  const write = other.asked.find(({ call }) => call.method === 'POST')
  assert.equal(write?.call.path, '/inbox/a')
  await write?.answer({ data: { unread: 0, revision: 4 } })
  await one.synced()
  assert.deepEqual(
    one.asked.map(({ call }) => call.method),
    ['GET'],
  )
})

for (const [kind, wrap] of [
  ['at once', (of: Storage) => of],
  ['with promises', slowStorage],
] as const)
  test(`a change that the storage refuses is told until the server has it (storage that answers ${kind})`, async () => {
    const full = { ...memoryStorage(), setItem: () => assert.fail('QuotaExceededError') }
    const { messages, next } = openClient(wrap(full))
    const seen: boolean[] = []
    messages.subscribe(() => void seen.push(messages.snapshot().isKept))
    await (await next()).answer(page([item('a')], 3))
    assert.equal(messages.snapshot().isKept, true)
    messages.markRead('a')
    for (let writes = 0; writes < 12; writes++) await settled()
    assert.deepEqual([messages.snapshot().isKept, seen.at(-1)], [false, false])
    await (await next()).answer({ data: { unread: 0, revision: 4 } })
    assert.deepEqual([messages.snapshot().isKept, messages.snapshot().unread], [true, 0])
  })

test('without a storage what waits is only in memory, and the snapshot says so', async () => {
  const { messages, next } = openClient()
  messages.subscribe(() => {})
  await (await next()).answer(page([item('a')], 3))
  messages.markRead('a')
  assert.equal(messages.snapshot().isKept, false)
})
