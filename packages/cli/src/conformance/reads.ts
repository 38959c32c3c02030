/** Reads and keys: what every server and every proxy in front of one answers, whatever content there is. */
import { must, mustBe, expectRefusal, expectSuccess, type Check, type Subject } from './check.ts'

const READS = ['/sync', '/strings', '/locales'] as const

const envelopes: Check[] = READS.flatMap((path) => [
  { name: `GET ${path} is a success in its envelope`, run: async (to: Subject) => expectSuccess(await to.ask('GET', path)) },
  {
    name: `GET ${path} names the environment of the key`,
    run: async (to: Subject) =>
      must(/^(live|test)$/.test((await to.ask('GET', path)).headers.get('x-cf-env') ?? ''), 'X-CF-Env is not live or test'),
  },
  {
    name: `GET ${path} is not sent twice: If-None-Match gets 304 without a body`,
    run: async (to: Subject) => {
      const etag = (await to.ask('GET', path)).headers.get('etag')
      must(etag !== null, 'there is no ETag')
      const again = await to.ask('GET', path, { headers: { 'if-none-match': etag ?? '' } })
      mustBe(again.status, 304, 'the status')
      mustBe(again.text, '', 'the body')
    },
  },
  {
    name: `GET ${path} with another ETag is sent whole`,
    run: async (to: Subject) => expectSuccess(await to.ask('GET', path, { headers: { 'if-none-match': '"of another day"' } })),
  },
  {
    name: `GET ${path} without a key is 401 MISSING_SDK_KEY`,
    run: async (to: Subject) => expectRefusal(await to.ask('GET', path, { headers: { 'x-cf-key': '' } }), 401, 'MISSING_SDK_KEY'),
  },
  {
    name: `GET ${path} with a wrong key is 401 INVALID_SDK_KEY`,
    run: async (to: Subject) => expectRefusal(await to.ask('GET', path, { headers: { 'x-cf-key': 'wrong' } }), 401, 'INVALID_SDK_KEY'),
  },
  {
    name: `GET ${path} with the key in the query is 403 SDK_KEY_IN_QUERY`,
    run: async (to: Subject) => expectRefusal(await to.ask('GET', `${path}?key=${encodeURIComponent(to.key)}`), 403, 'SDK_KEY_IN_QUERY'),
  },
  {
    name: `GET ${path} may be read by a page of any origin, with its headers`,
    run: async (to: Subject) => {
      const { headers } = await to.ask('GET', path, { headers: { origin: 'https://app.example' } })
      mustBe(headers.get('access-control-allow-origin'), '*', 'Access-Control-Allow-Origin')
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase()
      for (const name of ['x-cf-env', 'etag', 'retry-after']) must(exposed.includes(name), `${name} is not exposed`)
    },
  },
])

const keys: Check[] = [
  {
    name: 'X-API-Key is taken like X-CF-Key',
    run: async (to) => expectSuccess(await to.ask('GET', '/sync', { headers: { 'x-cf-key': '', 'x-api-key': to.key } })),
  },
  {
    name: 'X-CF-Key wins over X-API-Key',
    run: async (to) =>
      expectRefusal(await to.ask('GET', '/sync', { headers: { 'x-cf-key': 'wrong', 'x-api-key': to.key } }), 401, 'INVALID_SDK_KEY'),
  },
  {
    name: 'a preflight needs no key',
    run: async (to) => {
      const reply = await to.ask('OPTIONS', '/identify', {
        headers: { 'x-cf-key': '', origin: 'https://app.example', 'access-control-request-method': 'POST' },
      })
      must(reply.status === 204 || reply.status === 200, `the status is ${reply.status}`)
    },
  },
  {
    name: 'an unknown block is 404 unknown block',
    run: async (to) => {
      const reply = await to.ask('GET', '/blocks/no_such_block_of_conformance')
      expectRefusal(reply, 404, null)
      mustBe(reply.body.error, 'unknown block', 'error')
    },
  },
  {
    name: 'an unknown route is 404',
    run: async (to) => mustBe((await to.ask('GET', '/no-such-route')).status, 404, 'the status'),
  },
]

const content: Check[] = [
  {
    name: 'sync has blocks and config with its switches',
    run: async (to) => {
      const { data } = await to.ask('GET', '/sync')
      must(Array.isArray(data?.blocks), 'blocks is no list')
      must(typeof data.config?.features === 'object', 'config.features is missing')
    },
  },
  {
    name: 'every block of sync has its members',
    run: async (to) => {
      for (const block of (await to.ask('GET', '/sync')).data.blocks) {
        for (const name of ['key', 'name', 'screen', 'instanceId']) mustBe(typeof block[name], 'string', `${name} of a block`)
        mustBe(typeof block.version, 'number', 'version of a block')
        mustBe(block.visible, true, 'visible of a block')
        must(Array.isArray(block.fields) && typeof block.values === 'object', 'a block lacks fields or values')
      }
    },
  },
  {
    name: 'fields are a schema and never hold values',
    run: async (to) => {
      for (const { fields } of (await to.ask('GET', '/sync')).data.blocks)
        for (const field of fields) {
          must(typeof field.tag === 'string' && typeof field.type === 'string', 'a field lacks tag or type')
          must(!('value' in field) && !('default' in field), 'a field holds a value')
        }
    },
  },
  {
    name: 'a block of sync is the same asked for alone',
    run: async (to) => {
      const block = (await to.ask('GET', '/sync')).data.blocks.find(({ key }: { key: string }) => key !== 'journey_message')
      if (!block) return
      const reply = await to.ask('GET', `/blocks/${block.key}`)
      expectSuccess(reply)
      mustBe(reply.data.key, block.key, 'key')
      must(Array.isArray(reply.data.instances), 'instances is no list')
    },
  },
  {
    name: 'strings has its catalog',
    run: async (to) => {
      const { data } = await to.ask('GET', '/strings')
      must(typeof data?.locale === 'string' && typeof data.version === 'string', 'locale or version is missing')
      must(typeof data.strings === 'object' && Array.isArray(data.smartKeys) && Array.isArray(data.withheldKeys), 'a list is missing')
    },
  },
  {
    name: 'an unknown language gets the source texts',
    run: async (to) => expectSuccess(await to.ask('GET', '/strings?locale=tlh')),
  },
  {
    name: 'locales have their members',
    run: async (to) => {
      const { locales } = (await to.ask('GET', '/locales')).data
      must(Array.isArray(locales), 'locales is no list')
      for (const { code, name, native, rtl, coverage } of locales)
        must(
          [code, name, native].every((each) => typeof each === 'string') && typeof rtl === 'boolean' && typeof coverage === 'number',
          `${code} lacks a member`,
        )
    },
  },
  {
    name: 'campaigns of a placement are a list with its count',
    run: async (to) => {
      const reply = await to.ask('POST', '/campaigns', { body: { placementId: 'conformance' } })
      expectSuccess(reply)
      must(Array.isArray(reply.data), 'data is no list')
      mustBe(reply.body.metadata?.campaignCount, reply.data.length, 'metadata.campaignCount')
    },
  },
  {
    name: 'a body that is no object is 400 on campaigns',
    run: async (to) => expectRefusal(await to.ask('POST', '/campaigns', { raw: '[]' }), 400, null),
  },
  {
    name: 'an unknown preset of consent still needs a key',
    run: async (to) => expectRefusal(await to.ask('GET', '/consent/config/any', { headers: { 'x-cf-key': '' } }), 401, 'MISSING_SDK_KEY'),
  },
]

export const READ_CHECKS: readonly Check[] = [...envelopes, ...keys, ...content]
