/**
 * Every POST of the management API that changes something, with an Idempotency-Key: however often it is sent, and wherever its
 * process was cut off, there is one effect and one answer (decision 81). The routes come from the server itself.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Answer } from '../builders/builders.ts'
import { startUpload } from '../builders/files.ts'
import { REFUSED, SEGMENT } from '../isolation/isolation-bodies.ts'
import { bodyFor, credentialsOf, inOrder, keyOf, OF_THE_INSTALLATION, openTwins } from '../isolation/twins.ts'
import { listRoutes, type Route } from '../harness/routes.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'

const server = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { app, ctx, advance } = server
const { makeTwins, signInAdmin, paramsFor, call } = openTwins(server)

/** What is written besides by any request: keys themselves, what is due, and tries of a person. */
const BESIDES = ['idempotency_keys']

/** They call other machines before they answer. */
const CALLS_OUT = new Set(
  [
    'notifications/channels/:id/test',
    'notifications/channels/email/test',
    'campaigns/:id/test-send',
    'journeys/:id/test-send',
    'campaigns/:id/launch-otp',
    'journeys/:id/launch-otp',
    'notifications/segment/:id/launch-otp',
  ].map((path) => `POST /api/v1/${path}`),
)

/** Whether the answer to the first request of this key is kept, or gets lost on its way to the table. */
let isLost = false
ctx.faults.watch((point) => {
  if (point === 'once.answer' && isLost) throw new Error('the process died before it kept the answer')
})

const described = new Set(
  Object.entries((app.http.swagger() as { paths: Record<string, Record<string, { parameters?: { name: string }[] }>> }).paths).flatMap(
    ([path, { post }]) =>
      post?.parameters?.some(({ name }) => name === 'idempotency-key') ? [`POST ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`] : [],
  ),
)
const keyed = inOrder(listRoutes(app).filter((route) => !OF_THE_INSTALLATION.test(route.path))).filter((route) =>
  described.has(keyOf(route)),
)

const told = ({ status, text }: Answer) => [status, text]

async function expectOnce(route: Route, send: (key: string) => Promise<Answer>, isOf: 'call' | 'effect'): Promise<string | undefined> {
  const [key, name] = [`"${randomUUID()}"`, keyOf(route)]
  isLost = true
  const first = await send(key)
  isLost = false
  if (first.status >= 300) return `${name} ${first.status}`
  const rows = await digest()
  const again = await send(key)
  if (isOf === 'call') {
    assert.deepEqual([again.status, again.body.code], [409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'], name)
    return undefined
  }
  assert.deepEqual(told(again), told(first), `${name}: made again from its results`)
  assert.equal(again.headers.get('idempotent-replay'), null, name)
  const more = await Promise.all(Array.from({ length: 5 }, () => send(key)))
  for (const each of more) {
    assert.deepEqual(told(each), told(first), `${name}: kept`)
    assert.equal(each.headers.get('idempotent-replay'), 'true', name)
  }
  const now = new Set(await digest())
  assert.deepEqual(
    rows.filter((line) => !now.has(line)),
    [],
    `${name}: one effect`,
  )
  return undefined
}

/** Rows that are worked on by themselves, with time, and therefore only counted. */
const FOLLOWING = /^(segments|journey_checks|webhook_deliveries|webhook_endpoints) /

/** Of every table, when nothing is due any more. */
async function digest(): Promise<string[]> {
  for (let before = ''; ;) {
    await advance(0)
    const now = await hashTables(ctx.db, { except: BESIDES })
    if (now === before) return now.split('\n').map((line) => (FOLLOWING.test(line) ? line.slice(0, line.lastIndexOf(' ')) : line))
    before = now
  }
}

test('every POST that changes something takes a key: cut off after its effect it is answered from its results, then as it was, and works once', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  assert.ok(keyed.length > 60, String(keyed.length))
  const refused: string[] = []
  const failed: string[] = []
  for (const route of keyed) {
    const params = await paramsFor(route, twins)
    const [headers = {}] = credentialsOf(route, twins)
    const body = bodyFor(route, twins)
    const send = (key: string) => call(route, params, { ...headers, 'idempotency-key': key }, body)
    try {
      const isRefused = await expectOnce(route, send, CALLS_OUT.has(keyOf(route)) ? 'call' : 'effect')
      if (isRefused) refused.push(isRefused)
    } catch (error) {
      failed.push(`${keyOf(route)}: ${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 700)}`)
    }
  }
  assert.equal(failed.join('\n'), '')
  // Where these bodies come to nothing, other tests send what does.
  assert.deepEqual(
    refused,
    REFUSED.filter((line) => described.has(line.slice(0, line.lastIndexOf(' ')))),
  )
})

test('the same of what these bodies cannot bring about: an instance, a finished upload, a text brought back, a document applied', async () => {
  const ws = await server.workspace()
  await ws.block('promo')
  expectStatus(await ws.admin.post('/strings', { key: 'greeting', sourceText: 'Hello' }), 201)
  expectStatus(await ws.admin.put('/strings/greeting', { sourceText: 'Hi' }), 200)
  const [{ number }] = Object.values(expectStatus(await ws.admin.get('/strings/greeting/history'), 200).data).find(Array.isArray) as [any]
  const { contentId, uploadUrl, method, headers } = await startUpload(ws.admin, 'a.txt', 'text/plain')
  assert.equal((await fetch(uploadUrl, { method, headers, body: 'a text' })).status, 200)
  const document = { segments: [{ name: 'All', ...SEGMENT }], geofences: [] }
  const { version } = expectStatus(await ws.admin.post('/workspace/code/plan', { document }), 200).data
  const asked: [string, object][] = [
    ['/blocks/promo/instances', { externalId: 'one', values: { '#title': 'x' } }],
    ['/content/finalize-upload', { contentId }],
    ['/strings/greeting/restore', { number }],
    ['/workspace/code/apply', { document, version }],
  ]
  for (const [path, body] of asked) {
    const route = { method: 'POST', path: `/api/v1${path}`, params: [] }
    const send = (key: string) => ws.admin.post(path, body, { headers: { 'idempotency-key': key } })
    assert.equal(await expectOnce(route, send, 'effect'), undefined)
  }
})
