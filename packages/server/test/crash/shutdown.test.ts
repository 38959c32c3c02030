/** How a running server ends when it is asked to. */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { expectStatus, makeBuilders, type Workspace } from '../builders/builders.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../harness/start-app.ts'
import { spawnServer, started, type ServerProcess } from '../harness/server-process.ts'
import { openStream } from '../harness/streams.ts'
import { inTime } from '../harness/until.ts'

type Database = Awaited<ReturnType<typeof freshDatabase>>
const running: ServerProcess[] = []
const databases: Database[] = []
after(async () => {
  for (const server of running) server.kill('SIGKILL')
  await Promise.all(running.map((server) => server.exit))
  for (const database of databases) await database.remove()
})

async function start(env: Record<string, string> = {}, reuse?: Database) {
  const database = reuse ?? (await freshDatabase())
  if (!reuse) databases.push(database)
  const server = spawnServer({ ...database.env, ...env })
  running.push(server)
  const url = await started(server)
  const ws: Workspace = await makeBuilders(url, OPERATOR_TOKEN).workspace()
  await ws.block('promo')
  return { server, url, ws, database }
}

/** A request whose body is only half sent, on a connection that the client keeps open. */
function openRequest(
  url: string,
  ws: Workspace,
  body: string,
): { socket: Socket; finish(): void; text(): string; answer: Promise<string> } {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = `POST /api/v1/cards/register HTTP/1.1\r\nHost: x\r\nX-CF-Write-Key: ${ws.writeKey}\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 5))
  const answered = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
    if (text.endsWith('}')) answered.resolve(text)
  })
  socket.on('error', answered.reject)
  socket.on('close', () => answered.resolve(text))
  return { socket, finish: () => void socket.write(body.slice(5)), text: () => text, answer: answered.promise }
}

test('on SIGTERM readiness turns 503 while requests are still served, streams get a retry time and end, requests finish, exit code 0', async () => {
  const { server, url, ws, database } = await start({ CF_DRAIN_SECONDS: '2' })
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  const streams = await Promise.all([ws.live, ws.test, ws.live].map((key) => openStream(`${url}/sdk/v1/stream?key=${key}`)))
  const open = openRequest(url, ws, '{"key":"sent_while_stopping"}')
  await ws.app.get('/sync')

  server.kill('SIGTERM')
  let readiness = await fetch(`${url}/readyz`)
  while (readiness.status === 200) readiness = await fetch(`${url}/readyz`)
  assert.equal(readiness.status, 503)
  assert.equal(((await readiness.json()) as { success: boolean }).success, false)
  assert.equal((await fetch(`${url}/healthz`)).status, 200, 'alive while draining')
  assert.equal((await ws.app.get('/sync')).status, 200, 'served while draining')
  await ws.instance('promo')
  for (const stream of streams) assert.equal((await stream.next()).event, 'block.published', 'streams live on while draining')

  for (const stream of streams) {
    await stream.ended()
    assert.equal(stream.retries.length, 1)
    assert.ok(stream.retries[0]! >= 2_000 && stream.retries[0]! <= 10_000, String(stream.retries[0]))
  }
  open.finish()
  const answer = await inTime('the answer of the running request', open.answer)
  assert.match(answer, /^HTTP\/1\.1 201 /)
  assert.match(answer, /"registered":"sent_while_stopping"/)
  assert.deepEqual(await inTime('the end of the process', server.exit), { code: 0, signal: null })
  assert.equal(server.output().includes('level":50'), false, server.output())

  const again = await start({}, database)
  const found = await makeBuilders(again.url, OPERATOR_TOKEN).anyone.get('/sdk/v1/blocks/sent_while_stopping', {
    headers: { 'x-cf-key': ws.live },
  })
  assert.deepEqual([found.status, found.data.visible], [200, false], 'what was answered while stopping is stored')
  again.server.kill('SIGTERM')
  assert.equal((await inTime('the end', again.server.exit)).code, 0)
})

test('two thousand streams whose clients come back at once do not hold a stop up', async () => {
  const { server, url, ws } = await start()
  // One workspace may ask only so often a minute.
  const keys = [ws.live, (await makeBuilders(url, OPERATOR_TOKEN).workspace()).live]
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  let open = 0
  let refused = 0
  const allOpen = Promise.withResolvers<void>()
  const connectStream = (key: string) => {
    const stream = request({ hostname, port, agent, path: `/sdk/v1/stream?key=${key}` }, (response) => {
      if (response.statusCode !== 200) refused++
      else if (++open === 2_000) allOpen.resolve()
      response.resume()
      response.once('close', () => (response.statusCode === 200 ? connectStream(key) : setTimeout(connectStream, 20, key)))
    })
    stream.once('error', () => refused++) // nobody listens any more
    stream.end()
  }
  for (let i = 0; i < 2_000; i++) connectStream(keys[i % keys.length]!)
  await allOpen.promise
  server.kill('SIGTERM')
  // By force it would be 1.
  assert.deepEqual(await server.exit, { code: 0, signal: null })
  assert.equal(open, 2_000, 'none was taken back')
  assert.ok(refused > 0)
  agent.destroy()
})

test('a stream that nobody reads and a body that never ends do not hold a stop up', async () => {
  const { server, url, ws } = await start()
  const { hostname, port } = new URL(url)
  const open = openRequest(url, ws, '{"key":"never_finished"}')
  open.answer.catch(() => {}) // it is cut
  const deaf = connect(Number(port), hostname)
  deaf.pause().on('error', () => {})
  deaf.write(`GET /sdk/v1/stream?key=${ws.live} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
  server.kill('SIGTERM')
  assert.deepEqual(await server.exit, { code: 0, signal: null })
  deaf.destroy()
})

test('on SIGINT it ends at once with exit code 0, idle connections do not hold it up', async () => {
  const { server, url, ws } = await start({ CF_DRAIN_SECONDS: '60' })
  const { hostname, port } = new URL(url)
  const idle = connect(Number(port), hostname)
  await new Promise((resolve) => idle.once('connect', resolve))
  const stream = await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
  const used = await fetch(`${url}/healthz`)
  await used.text()
  server.kill('SIGINT')
  await stream.ended()
  assert.equal(stream.retries.length, 1)
  assert.deepEqual(await inTime('the end of the process', server.exit), { code: 0, signal: null })
  idle.destroy()
})

test('a second signal ends it without waiting for anybody', async () => {
  const { server, url, ws } = await start({ CF_DRAIN_SECONDS: '60' })
  const open = openRequest(url, ws, '{"key":"never_finished"}')
  open.answer.catch(() => {})
  server.kill('SIGTERM')
  while ((await fetch(`${url}/readyz`)).status === 200);
  server.kill('SIGTERM')
  assert.deepEqual(await inTime('the end of the process', server.exit), { code: 1, signal: null })
})

test('C-ENV-02 a request that still arrives on an open connection while the server closes is answered in the envelope', async () => {
  const { server, url, ws } = await start()
  const body = '{"key":"last_one"}'
  const open = openRequest(url, ws, body)
  const stream = await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
  server.kill('SIGTERM')
  await stream.ended()
  // The rest of the first request and a second one behind it.
  open.socket.write(`${body.slice(5)}GET /sdk/v1/sync HTTP/1.1\r\nHost: x\r\nX-CF-Key: ${ws.live}\r\n\r\n`)
  assert.match(await inTime('the first answer', open.answer), /^HTTP\/1\.1 201 /)
  assert.equal((await inTime('the end of the process', server.exit)).code, 0)
  const text = open.text()
  const second = /HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n([^]*)$/.exec(text.slice(10))
  if (second) {
    assert.equal(second[1], '200')
    assert.equal(JSON.parse(second[2] ?? '').success, true, second[2] ?? '')
  }
})

test('the log of a whole life holds no key, token, password or email', async () => {
  const { server, url, ws } = await start({ CF_LOG_LEVEL: 'debug' })
  const password = 'secret-password-canary'
  const email = 'log-canary@example.com'
  expectStatus(await ws.admin.post('/members', { email, name: 'Name-Canary', password, role: 'viewer' }), 201)
  const { anyone, fault } = makeBuilders(url, OPERATOR_TOKEN)
  const { token } = expectStatus(await anyone.post('/api/v1/auth/login', { email, password }), 200).data
  expectStatus(await anyone.get('/api/v1/auth/me', { headers: { authorization: `Bearer ${token}` } }), 200)
  await anyone.post('/api/v1/auth/login', { email, password: 'wrong-password-canary' })
  const secret = (await ws.key('secret', 'live')).key
  const unseen = (await ws.key('publishable', 'live')).key
  const stream = await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
  await ws.instance('promo', { values: { '#title': 'content-canary' } })
  await anyone.get(`/sdk/v1/sync?key=${secret}`)
  await fault('key_validation', true)
  await anyone.get('/sdk/v1/sync', { headers: { 'x-cf-key': unseen } })
  await anyone.get(`/sdk/v1/stream?key=${unseen}`)
  await fault('key_validation', false)
  await fault('upstream', true)
  await anyone.get('/sdk/v1/sync', { headers: { 'x-cf-key': ws.test, 'x-cf-device': 'device-canary' } })
  await fault('upstream', false)
  stream.close()
  server.kill('SIGTERM')
  assert.equal((await inTime('the end of the process', server.exit)).code, 0)
  const log = server.output()
  assert.match(log, /"msg":"stopping"/)
  const secrets = {
    live: ws.live,
    test: ws.test,
    write: ws.writeKey,
    read: ws.readKey,
    secret,
    unseen,
    token,
    password,
    email,
    wrong: 'wrong-password-canary',
    operator: OPERATOR_TOKEN,
    content: 'content-canary',
    device: 'device-canary',
    name: 'Name-Canary',
  }
  for (const [name, text] of Object.entries(secrets)) assert.ok(!log.includes(text), `the log holds the ${name}`)
})
