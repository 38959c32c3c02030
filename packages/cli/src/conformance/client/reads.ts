/** What a client does with blocks and texts: which of the answers counts, and what stays when there is none. */
import { must, mustBe } from '../check.ts'
import { block, KEY, type Bench, type ClientCheck } from './bench.ts'
import { Refused } from './program.ts'
import { synced, type Answer } from './scripted.ts'

/** Open, with these blocks shown. */
async function openWith(
  { open, shown, server, until }: Bench,
  blocks: readonly object[],
  headers: Record<string, string> = {},
): Promise<void> {
  server.on('GET /sync', () => ({ data: synced(blocks), headers }))
  await open()
  await until('the blocks', async () => (await shown()).length === blocks.length)
}

/** Asks for content now. A client may say that it could not be had. */
async function sync({ tell }: Bench): Promise<void> {
  await tell('sync').catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}

/** What may pass changes nothing of what is shown. */
const PASSING: readonly [what: string, answer: Answer | 'lost'][] = [
  ['500', { status: 500, refusal: { error: 'internal error' } }],
  ['503 with Retry-After', { status: 503, refusal: { code: 'UPSTREAM_UNAVAILABLE', error: 'away' }, headers: { 'retry-after': '1' } }],
  ['an answer that is not the service’s, such as a page of a hotel', { raw: '<html>Sign in to the network</html>' }],
  ['a connection that is cut', 'lost'],
]

export const CLIENT_READ_CHECKS: readonly ClientCheck[] = [
  {
    name: 'the key travels in X-CF-Key, never in an address',
    run: async (bench) => {
      await openWith(bench, [block('a')])
      for (const { headers, path } of bench.server.received) {
        mustBe(headers['x-cf-key'], KEY, 'X-CF-Key')
        must(!path.includes(KEY), `the key is in the address ${path}`)
      }
    },
  },
  {
    name: 'sync names the device, always the same one',
    run: async (bench) => {
      await openWith(bench, [block('a')])
      await sync(bench)
      const devices = new Set(bench.server.to('GET /sync').map(({ headers }) => headers['x-cf-device']))
      must(devices.size === 1 && [...devices][0] !== undefined, 'X-CF-Device is missing, or another one each time')
    },
  },
  {
    name: 'blocks are shown in the order of the answer',
    run: async (bench) => {
      await openWith(bench, [block('b'), block('a'), block('c')])
      mustBe((await bench.shown()).join(), 'b,a,c', 'what is shown')
    },
  },
  {
    name: 'a block that is missing from an answer is gone',
    run: async (bench) => {
      await openWith(bench, [block('a'), block('b')])
      bench.server.on('GET /sync', () => ({ data: synced([block('b')]) }))
      await sync(bench)
      await bench.until('the answer', async () => (await bench.shown()).join() === 'b')
    },
  },
  {
    name: 'content is asked for with the ETag of the last answer, and 304 keeps it',
    run: async (bench) => {
      await openWith(bench, [block('a')], { etag: '"one"' })
      bench.server.on('GET /sync', ({ headers }) =>
        headers['if-none-match'] === '"one"' ? { status: 304, headers: { etag: '"one"' } } : { data: synced([]) },
      )
      const before = bench.server.to('GET /sync').length
      await sync(bench)
      await bench.until('another request', () => bench.server.to('GET /sync').length > before)
      mustBe(bench.server.to('GET /sync').at(-1)?.headers['if-none-match'], '"one"', 'If-None-Match')
      mustBe((await bench.shown()).join(), 'a', 'what is shown')
    },
  },
  ...PASSING.map(([what, answer]): ClientCheck => ({
    name: `${what} changes nothing of what is shown`,
    run: async (bench) => {
      await openWith(bench, [block('a')])
      bench.server.on('GET /sync', () => answer)
      const before = bench.server.to('GET /sync').length
      await sync(bench)
      await bench.until('another request', () => bench.server.to('GET /sync').length > before)
      mustBe((await bench.shown()).join(), 'a', 'what is shown')
    },
  })),
  {
    name: 'what is not known is ignored: members, fields and types of blocks of a newer workspace',
    run: async (bench) => {
      const newer = block('n', {
        key: 'of_tomorrow',
        values: { '#new': { deep: [1] } },
        fields: [{ tag: '#new', type: 'hologram' }],
        extra: [1],
      })
      await openWith(bench, [newer, block('a', { extra: { more: true } })])
      must((await bench.shown()).includes('a'), 'the known block is missing')
    },
  },
  {
    name: 'what was shown last is there after a restart without a connection',
    run: async (bench) => {
      await openWith(bench, [block('a')])
      await bench.tell('close')
      bench.server.on('GET /sync', () => 'lost')
      await bench.open()
      await bench.until('the blocks of before', async () => (await bench.shown()).join() === 'a')
    },
  },
  {
    name: 'a text is the one answered, and its key when there is none',
    run: async (bench) => {
      bench.server.on('GET /strings', () => ({
        data: { locale: 'en', strings: { 'home.hello': 'Hello {name}' }, smartKeys: [], withheldKeys: [], version: '1' },
      }))
      await bench.open()
      await bench.until(
        'the text',
        async () => (await bench.tell('text', { key: 'home.hello', values: { name: 'Sara' } })) === 'Hello Sara',
      )
      mustBe(await bench.tell('text', { key: 'home.nothing', values: {} }), 'home.nothing', 'a text that does not exist')
    },
  },
  {
    name: 'the language is asked for in the address',
    run: async (bench) => {
      await bench.open({ locale: 'ar' })
      const asked = (route: string) => bench.server.to(route)[0]?.path
      await bench.until('both requests', () => asked('GET /sync') !== undefined && asked('GET /strings') !== undefined)
      mustBe(asked('GET /sync'), '/sync?locale=ar', 'the address')
      must(/[?&]locale=ar(&|$)/.test(asked('GET /strings') ?? ''), 'texts are asked for without the language')
    },
  },
  {
    name: 'a key that is refused is asked with no more',
    run: async (bench) => {
      bench.server.on('GET /sync', () => ({ status: 401, refusal: { code: 'INVALID_SDK_KEY', error: 'invalid key' } }))
      await bench.open()
      await bench.until('a request', () => bench.server.to('GET /sync').length > 0)
      await sync(bench)
      const before = bench.server.received.length
      await sync(bench)
      mustBe(bench.server.received.length, before, 'the number of requests')
    },
  },
]
