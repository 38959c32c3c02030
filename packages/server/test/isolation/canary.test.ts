/**
 * A word that occurs nowhere else is put into every field of every route that takes something about a person. After
 * the person is erased it is looked for in every table and in Redis; in the log it must never have been. The routes
 * come from the server itself: one that is not in STEPS fails the suite.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createClient } from '@redis/client'
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import { FAULTS } from '../../src/infra/faults.ts'
import { loggableUrl } from '../../src/infra/log.ts'
import { clientOf, expectStatus, makeBuilders, type Answer, type Builders, type Client, type Workspace } from '../builders/builders.ts'
import { addChannel } from '../builders/channels.ts'
import { erase } from '../builders/people.ts'
import { documentedMembers } from './log-members.ts'
import { fillPath, listDescribed } from '../harness/routes.ts'
import { spawnServer, started } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN, startApp } from '../harness/start-app.ts'

/** Letters and digits only, so that it passes as a key, a topic and a part of an email. */
const WORD = `canary${randomBytes(6).toString('hex')}`
const LATITUDE = 12.345678912
const word = (place: string) => `${WORD}${place}`

type Who = { app: Client; admin: Client; deviceId: string; userId: string; fenceId: string }
type Step = (who: Who) => Promise<Answer>
const sent = (who: Who, method: 'post' | 'patch', path: string, body: object) => who.app[method](path, { deviceId: who.deviceId, ...body })

/** `METHOD /path` under the client or the management root. A body needs every member the route keeps. */
const STEPS: Record<string, Step> = {
  'POST /users/bulk/contacts': ({ admin, userId }) =>
    admin.post('/users/bulk/contacts', {
      contacts: [
        { userId, email: `${word('Contact')}@example.com`, deviceToken: word(`Loaded${userId}`), platform: 'ios', consent: { sms: true } },
      ],
    }),
  'POST /identify': (who) =>
    sent(who, 'post', '/identify', {
      userId: who.userId,
      consent: true,
      name: word('Name'),
      email: `${word('Email')}@example.com`,
      traits: { [word('Key')]: 1, plan: word('Trait'), list: [{ [word('Inner')]: word('Deep') }] },
    }),
  'POST /register-push': (who) =>
    sent(who, 'post', '/register-push', { userId: who.userId, token: word(`Token${who.deviceId}`), platform: 'ios' }),
  'POST /push/topics': (who) => sent(who, 'post', '/push/topics', { topic: word('Topic') }),
  'PATCH /push/preferences': (who) =>
    sent(who, 'patch', '/push/preferences', { quietHours: { start: '21:00', end: '07:00', timezone: 'Asia/Riyadh' }, digest: 'daily' }),
  'POST /location': (who) =>
    sent(who, 'post', '/location', {
      points: [{ latitude: LATITUDE, longitude: 1, accuracy: 5 }],
      geofenceEvents: [{ fenceId: who.fenceId, type: 'enter' }],
    }),
  'POST /campaigns': (who) =>
    sent(who, 'post', '/campaigns', {
      placementId: word('Placement'),
      userId: who.userId,
      attributes: { [word('Asked')]: word('Asking') },
      location: { latitude: LATITUDE },
    }),
  // Names of blocks, types and screens are words of the application: the counts keep them.
  'POST /events': (who) =>
    sent(who, 'post', '/events', {
      events: [
        {
          type: 'purchase',
          eventId: word('EventId'),
          currency: word('Currency'),
          fenceId: word('Fence'),
          properties: { a: [word('Bought')] },
        },
      ],
      context: { sessionId: word('Session'), platform: word('Platform') },
    }),
  'POST /track-event': (who) =>
    sent(who, 'post', '/track-event', { type: 'sign_up', properties: { [word('PropertyKey')]: word('Property') } }),
  'POST /profile': (who) =>
    sent(who, 'post', '/profile', { userId: who.userId, category: 'retail', data: { [word('DataKey')]: [word('Data')] } }),
  'POST /consent': (who) => sent(who, 'post', '/consent', { userId: who.userId, channels: { push: true, email: false } }),
  // Ids of topics are words of the application, not of the person: the ledger keeps them as proof of what was asked.
  'POST /consent/full': (who) =>
    sent(who, 'post', '/consent/full', {
      userId: who.userId,
      preset: 'general_ksa',
      channels: { sms: true },
      topics: { news: true },
      requiredConsents: { terms: true },
      personalOptOut: true,
    }),
}
/** Writing client routes that keep nothing new of a person. */
const KEEP_NOTHING = new Set([
  'POST /logout',
  'DELETE /identify',
  'DELETE /register-push',
  'DELETE /push/topics/:topic',
  'POST /inbox/:id',
  'POST /inbox/read-all',
  'PUT /preferences',
])
/** What must be found before the erasure, or the search would prove nothing. */
const KEPT = [
  'Name',
  'Email',
  'Key',
  'Trait',
  'Inner',
  'Deep',
  'Token',
  'Loaded',
  'Topic',
  'PropertyKey',
  'Property',
  'Bought',
  'Session',
  'DataKey',
  'Data',
]

async function fill(ws: Workspace, described: ReadonlySet<string>, isLenient = false): Promise<Who[]> {
  const fence = { name: 'shop', latitude: LATITUDE, longitude: 1, radiusMeters: 100 }
  const fenceId = (await ws.admin.post('/geofences', fence)).data?.id ?? 'none'
  const common = { app: ws.app, admin: ws.admin, fenceId }
  const people: Who[] = [
    { ...common, deviceId: word('D1'), userId: word('User') },
    { ...common, deviceId: word('D2'), userId: word('User') },
    { ...common, deviceId: word('D3'), userId: word('ByHand') },
  ]
  // An anonymous person and a device of no person first, which then become the user's.
  await ws.app.post('/identify', { deviceId: word('D1'), consent: true, name: word('Before'), traits: { a: word('Before') } })
  await ws.app.post('/register-push', { deviceId: word('D2'), token: word('Unowned'), platform: 'android' })
  for (const who of people) {
    for (const [name, step] of Object.entries(STEPS)) {
      if (!described.has(name)) continue
      const answer = await step(who)
      if (!isLenient) assert.ok(answer.status < 300, `${name}: ${answer.text}`)
    }
  }
  return people
}

/** `METHOD /path` of every described route, without its root. */
const withoutRoot = (names: string[]) => new Set(names.map((name) => name.replace(/ \/(sdk\/v1|api\/v1\/sdk|api\/v1)/, ' ')))

async function tablesWith(ctx: Context, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(ctx.db)
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await sql`select 1 from ${sql.table(name)} t where t::text ilike ${`%${text}%`} limit 1`.execute(ctx.db)
    if (hits.rows.length > 0) found.push(name)
  }
  return found
}

/** Names and contents of every key the server has written. */
async function redisText({ config }: Context): Promise<string> {
  if (!config.redisUrl) return ''
  const client = await createClient({ url: config.redisUrl }).connect()
  const texts: string[] = []
  for await (const keys of client.scanIterator({ MATCH: `${config.redisPrefix}*` }))
    for (const key of keys) texts.push(key, JSON.stringify(await client.hGetAll(key).catch(() => client.get(key))))
  client.destroy()
  return texts.join('\n')
}

/** What a client may also send: refused, misplaced, or while something behind the routes fails. */
async function provoke({ fault }: Builders, ws: Workspace, described: ReadonlySet<string>): Promise<void> {
  const odd = word('Odd')
  const headers = { 'x-cf-device': odd, 'x-cf-sdk-version': odd, 'accept-language': odd, 'x-tenant-id': odd }
  for (const [path, body] of [
    ['/identify', { consent: odd }],
    ['/identify', { consent: true, userId: odd.repeat(40) }],
    ['/profile', { userId: odd, category: odd, data: {} }],
    ['/track-event', { type: odd }],
    ['/events', { events: [{ type: odd, eventId: odd, screen: odd, properties: { [odd]: odd } }] }],
    ['/events', { events: [{ type: odd }, { type: 'sign_in' }] }],
    ['/events', { events: [{ type: odd.repeat(40) }] }],
    ['/events', { events: odd, context: { sessionId: odd } }],
    ['/register-push', { token: odd, platform: odd }],
    [`/${odd}`, {}],
  ] as const) {
    await ws.app.post(path, body, { headers })
    await ws.app.post(path, undefined, { headers, raw: `{"${odd}` })
  }
  await ws.app.get(`/sync?locale=${odd}&key=${odd}`, { headers })
  await ws.admin.get(`/erasures?cursor=${odd}`)
  await ws.admin.delete(`/users/${odd}?environment=${odd}`)
  await ws.admin.delete(`/users/${odd}%00`)
  // Whatever route takes a person, an installation or a token in its address; and addresses that no route has.
  const personal = listParams(described).filter(({ names }) => names.some((name) => PERSONAL_PARAMS.has(name)))
  assert.ok(personal.length > 10)
  for (const { method, path } of personal)
    await ws.admin[method](fillPath(path, Object.fromEntries([...PERSONAL_PARAMS].map((name) => [name, odd]))))
  for (const path of [`/user/${odd}`, `/${odd}`, `/users/${odd}/`, `/unsubscribe/${odd}/more`]) await ws.admin.get(path)
  for (const name of FAULTS) {
    await fault(name, true)
    await fill(ws, described, true)
    await erase(ws.app, word('D2'))
    await fault(name, false)
  }
}

/** Of addresses: those that name a person or an installation or are a secret, and those that say nothing of anybody. */
const PERSONAL_PARAMS = new Set(['userId', 'deviceId', 'token', 'topic', 'eventType'])
const OTHER_PARAMS = new Set(
  'id key number seq tokenId scheduleId editId locale code blockKey sourceId jobRef deliveryId preset provider workspaceId channelId'.split(
    ' ',
  ),
)

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
const listParams = (described: ReadonlySet<string>) =>
  [...described].map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { method: method.toLowerCase() as Method, path, names: [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param) }
  })

test('each parameter of an address is one that the log may say, or one that it must not', async () => {
  const { app, stop } = await startApp()
  const names = new Set(listParams(new Set(listDescribed(app))).flatMap((each) => each.names))
  assert.deepEqual(
    [...names].filter((name) => !PERSONAL_PARAMS.has(name) && !OTHER_PARAMS.has(name)),
    [],
  )
  for (const name of [...PERSONAL_PARAMS, ...OTHER_PARAMS]) {
    const logged = loggableUrl({ url: `/api/v1/a/${WORD}?x=1`, routeOptions: { url: `/api/v1/a/:${name}` } })
    assert.equal(logged.includes(WORD), OTHER_PARAMS.has(name), name)
  }
  await stop()
})

test('every client route that writes is one of the steps', async () => {
  const { app, stop } = await startApp()
  const writes = listDescribed(app).filter(
    (name) => / \/sdk\/v1\/(?!(?:cards|strings)\/|event-types)/.test(name) && !/^(GET|HEAD) /.test(name),
  )
  const unknown = [...withoutRoot(writes)].filter((name) => !STEPS[name] && !KEEP_NOTHING.has(name))
  assert.deepEqual(unknown, [])
  await stop()
})

test('C-ERASE-03 C-ERASE-04 C-ERASE-06 after an erasure nothing that was ever sent of the person is in any table or in Redis', async () => {
  const { app, ctx, workspace, operator } = await startApp()
  const ws = await workspace()
  const described = withoutRoot(listDescribed(app))
  const people = await fill(ws, described)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'rollup' }), 200)
  for (const place of KEPT) assert.notDeepEqual(await tablesWith(ctx, word(place)), [], `${place} is kept somewhere`)
  assert.deepEqual(await tablesWith(ctx, String(LATITUDE)), ['geofences', 'location_points', 'profiles'])
  const { userId } = people[2] ?? assert.fail()
  expectStatus(await erase(ws.app, word('D1')), 200)
  expectStatus(await ws.admin.delete(`/users/${userId}`), 200)
  assert.deepEqual(await tablesWith(ctx, WORD), [])
  assert.deepEqual(await tablesWith(ctx, String(LATITUDE)), ['geofences'])
  assert.ok(!(await redisText(ctx)).includes(WORD))
  assert.match(`${await redisText(ctx)}${ctx.config.redisUrl ? '' : ws.id}`, new RegExp(ws.id), 'the search sees what is in Redis')
})

test('C-ERR-30 the log never holds anything of a person, whatever fails', async () => {
  const database = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'cf-canary-'))
  const server = spawnServer({ CF_DATA_DIR: folder, ...database.env, CF_LOG_LEVEL: 'debug' })
  after(async () => {
    server.kill('SIGKILL')
    await server.exit
    await database.remove()
    rmSync(folder, { recursive: true })
  })
  const url = await started(server)
  const builders = makeBuilders(url, OPERATOR_TOKEN)
  const { paths } = (await clientOf(url).get('/api/v1/openapi.json')).body
  const names = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const ws = await builders.workspace()
  expectStatus(await builders.operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await fill(ws, withoutRoot(names))
  await provoke(builders, ws, withoutRoot(names))
  await addChannel(ws.admin, 'sms', 'contentflow-sms', { apiKey: word('Secret'), sender: word('Sender') })
  await erase(ws.app, word('D1'))
  await ws.admin.delete(`/users/${word('ByHand')}`)
  server.kill('SIGTERM')
  await server.exit
  const lines = server.output().split('\n')
  assert.ok(lines.some((line) => line.includes('/users/:userId')) && lines.some((line) => line.includes('"level":40')), 'the log speaks')
  assert.deepEqual(
    lines.filter((line) => line.includes(WORD) || line.includes(String(LATITUDE)) || line.includes(ws.live)),
    [],
  )
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object)
  const members = new Set(logged.flatMap((line) => Object.keys(line)))
  const documented = documentedMembers()
  assert.deepEqual(
    [...members].filter((name) => !documented.has(name)),
    [],
    'docs/operations.md says what each member is',
  )
  assert.deepEqual(
    // A pass fails as a whole where its minute begins during a fault.
    [...documented].filter((name) => !members.has(name) && name !== 'job').toSorted(),
    ['checkpoint', 'publicKey', 'signature', 'why'],
    'all but those of an audit log that is signed an hour later, and of a provider that is refused',
  )
})
