/** What one caller sends keeps no other one waiting: large bodies are bounded by route, judged after the credential, and parsed in slices. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus } from '../builders/builders.ts'
import { assertInTurns } from '../processes/longest-turn.ts'
import { send, statusOf } from '../harness/raw.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { fillPath, listRoutes } from '../harness/routes.ts'
import { startApp } from '../harness/start-app.ts'

const { app, url, anyone, workspace } = await startApp()

test('while a large body is parsed others are answered, in turn with it', async () => {
  const ws = await workspace()
  const small = { raw: `[${'0,'.repeat(490_000)}0]` }
  const members = { raw: `[${`{${Array.from({ length: 5_000 }, (_, i) => `"m${i}":0`).join()}},`.repeat(30)}0]` }
  for (const send of [() => ws.app.post('/events', undefined, small), () => ws.write.post('/strings/sync', undefined, members)]) {
    await assertInTurns(async () => assertRefusal(await send(), 400))
  }
})

test('texts in many languages are read, planned and written in turns with what others ask', async () => {
  const ws = await workspace()
  const letters = 'abcdefgh'.split('')
  const codes = letters.flatMap((a) => letters.map((b) => `${a}${b}-Latn`))
  for (const code of codes) expectStatus(await ws.admin.post('/locales', { code, name: code }), 201)
  const texts = (text: string) => Object.fromEntries(codes.map((code) => [code, text]))
  const rows = (text: string) => Array.from({ length: 500 }, (_, i) => ({ key: `k${i}`, sourceText: 'Hi {name}', values: texts(text) }))
  const csv = [`key,${codes.join()}`, ...rows('{other}').map(({ key, values }) => [key, ...Object.values(values)].join())].join('\n')
  const bodies = [rows('{name}'), rows('{name}'), rows('{other}')].map((strings) => JSON.stringify({ strings }))
  // It was 0.14 to 0.76 when reading, planning and writing were a turn each, and is up to 0.06.
  const most = 1 / 8
  for (const raw of bodies)
    await assertInTurns(async () => expectStatus(await ws.write.post('/strings/sync', undefined, { raw }), 200), most)
  let id = ''
  await assertInTurns(async () => {
    id = expectStatus(await ws.admin.post('/strings/imports', { csv }), 201).data.importId
  }, most)
  await assertInTurns(async () => expectStatus(await ws.admin.post(`/strings/imports/${id}/apply`, {}), 200), most)
})

test('open routes take 16 kB and not more, and what is sent to no route or with OPTIONS is not read', async () => {
  const body = `{"x":"${'a'.repeat(LIMITS.smallBodyBytes)}"}`
  for (const path of ['/api/v1/auth/login', '/api/v1/auth/signup', '/api/v1/auth/session'])
    assertRefusal(await anyone.post(path, undefined, { raw: body }), 413)
  const headers = { 'content-type': 'application/json', 'content-length': 100_000 }
  for (const path of ['/sdk/v1/sync', '/api/v1/sdk/sync', '/api/v1/auth/login']) {
    const { status } = await send(url, path, { method: 'OPTIONS', headers, body: '{'.repeat(100_000) })
    assert.ok(status === 204 || status === 403, `${path} ${status}`)
  }
  assert.equal((await send(url, '/nowhere', { method: 'POST', headers, body: '{'.repeat(100_000) })).status, 404)
})

/** What is said to a request of which nothing comes but the head. */
function answerTo(head: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(head))
    socket.once('data', (text) => {
      socket.destroy()
      resolve(String(text))
    })
    socket.once('error', reject)
  })
}

test('every route refuses a stranger, or a body beyond its bound, by its head alone', async () => {
  const routes = listRoutes(app).filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  assert.ok(routes.length > 60)
  for (const { method, path } of routes) {
    const head = `${method} ${fillPath(path, {})} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n`
    const status = statusOf(await answerTo(head))
    // An address that is not signed is refused with 403.
    assert.ok([400, 401, 403, 404, 413].includes(status), `${method} ${path}: ${status}`)
  }
})

test('a route that needs kilobytes takes kilobytes, whoever sends', async () => {
  const ws = await workspace()
  const raw = `{"deviceId":"d","x":"${'a'.repeat(20_000)}"}`
  assertRefusal(await ws.admin.post('/locales', undefined, { raw }), 413)
})

test('G-13 C-DEV-21 an app may send a megabyte to each of its routes, and not a byte more', async () => {
  const ws = await workspace()
  const body = (deviceId: string, bytes: number) => {
    const head = `{"deviceId":"${deviceId}","consent":true,"channels":{},"traits":{"ok":1,"big":"`
    return { raw: `${head}${'a'.repeat(bytes - head.length - 3)}"}}` }
  }
  for (const path of ['/identify', '/consent', '/consent/full', '/logout']) {
    expectStatus(await ws.app.post(path, undefined, body('d', LIMITS.clientBodyBytes)), 200)
    assertRefusal(await ws.app.post(path, undefined, body('d', LIMITS.clientBodyBytes + 1)), 413)
  }
  assert.deepEqual(expectStatus(await ws.read.get('/read/devices/d'), 200).data.profile.customAttributes, { ok: 1 })
})

test('C-DEV-18 C-DEV-20 G-13 the largest documented bodies pass, also written in ASCII alone', async () => {
  const ws = await workspace()
  // 1,364 Arabic letters have 2,728 bytes in UTF-8, and three times as many when each is escaped.
  const traits = Object.fromEntries(
    Array.from({ length: LIMITS.traits }, (_, i) => [`trait_${i}`, 'م'.repeat((LIMITS.traitBytes - 2) / 2)]),
  )
  const raw = JSON.stringify({ deviceId: 'd', userId: 'u', consent: true, traits }).replace(/م/g, '\\u0645')
  assert.ok(raw.length > 600_000)
  expectStatus(await ws.app.post('/identify', undefined, { raw }), 200)
})

test('one caller with many large bodies under way is told to wait, and no other one is', async () => {
  const [busy, other] = [await workspace(), await workspace()]
  const piece = `${(9_000_000).toString(16)}\r\n${'x'.repeat(9_000_000)}`
  const head = (key: string) =>
    `POST /api/v1/cards/sync HTTP/1.1\r\nHost: x\r\nX-CF-Write-Key: ${key}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
  // None of them ever ends.
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname))
  const answers: string[] = []
  for (const socket of sockets) {
    socket.on('error', () => {}) // the server may cut what it refused
    socket.once('data', (text) => answers.push(String(text)))
    socket.write(head(busy.writeKey) + piece)
  }
  while (answers.length < 2) await setTimeout(20)
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 503 [^]*retry-after: 2/i)
  const large = { blocks: [{ key: 'promo' }], x: 'x'.repeat(9_000_000) }
  expectStatus(await other.write.post('/cards/sync', large), 200)
  for (const socket of sockets) socket.destroy()
  // What was held is given back as the server notices that connections ended.
  let answer = await busy.write.post('/cards/sync', large)
  while (answer.status === 503) answer = await busy.write.post('/cards/sync', large)
  expectStatus(answer, 200)
})
