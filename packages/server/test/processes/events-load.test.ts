/** More bodies of events than fit into memory: what cannot be held is refused before it is read, and room is given back. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { identify } from '../builders/people.ts'
import { statusOf } from '../harness/raw.ts'
import { startApp } from '../harness/start-app.ts'
import { pause, until } from '../harness/until.ts'

const { ctx, workspace, operator, url } = await startApp()

/** Of the largest body, what all bodies that wait may be. */
const ROOM = 64
const AT_ONCE = 8

/** A request whose body is announced and not sent yet. */
type Sender = { socket: Socket; text(): string; finish(): Promise<string> }

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await identify(ws.app, 'D')
  // A first one makes the day and brings the key into memory.
  expectStatus(await ws.app.post('/events', { deviceId: 'D', events: [{ type: 'impression' }] }), 202)
  return ws
}

const BODY = JSON.stringify({ deviceId: 'D', events: [{ type: 'impression' }] }).padEnd(LIMITS.clientBodyBytes)

async function announce({ live }: Workspace, length: string, body = BODY, root = '/sdk/v1'): Promise<Sender> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  // The server may cut the connection of whoever it refused.
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  socket.write(`POST ${root}/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-CF-Key: ${live}\r\n${length}\r\n\r\n`)
  return {
    socket,
    text: () => text,
    finish: () => {
      socket.write(body)
      return closed
    },
  }
}
const announceAll = (ws: Workspace, count: number, length = `Content-Length: ${BODY.length}`) =>
  Promise.all(Array.from({ length: count }, () => announce(ws, length)))

const vanish = (senders: Sender[]) => {
  for (const { socket } of senders) socket.destroy()
}
const send = (ws: Workspace) => ws.app.post('/events', { deviceId: 'D', events: [{ type: 'impression' }] })

/** While it runs no event of the device can be stored: somebody holds its row, and on the embedded database everything. */
async function whileStalled(ws: Workspace, work: () => Promise<void>): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await tx.selectFrom('devices').select('device_id').where('workspace_id', '=', ws.id).forUpdate().execute()
    await work()
  })
}

/** The largest bodies, sent until the room is full of those that have arrived and wait. Fewer at a time than one caller may have parsed at once. */
async function fillRoom(ws: Workspace): Promise<{ senders: Sender[]; answers: Promise<string>[] }> {
  const senders: Sender[] = []
  const answers: Promise<string>[] = []
  await until('what comes next is refused', async () => {
    if (await isRefused(ws)) return true
    const more = await announceAll(ws, AT_ONCE)
    senders.push(...more)
    answers.push(...more.map((sender) => sender.finish()))
    return false
  })
  return { senders, answers }
}

async function isRefused(ws: Workspace): Promise<boolean> {
  const probe = await announce(ws, 'Content-Length: 2', '{}')
  const text = await Promise.race([probe.finish(), pause(5_000).then(() => '')])
  if (text === '' || statusOf(text) === 400) return false
  assert.equal(statusOf(text), 503, text)
  assert.match(text, /\r\nretry-after: 1\r\n/i)
  assert.match(text, /"code":"UPSTREAM_UNAVAILABLE"/)
  return true
}

test('bodies beyond 64 MB that wait are 503 with Retry-After, reads go on, and those that wait are stored', async () => {
  const ws = await shop()
  expectStatus(await ws.app.get('/sync'), 200)
  let waiting: Promise<string>[] = []
  await whileStalled(ws, async () => {
    waiting = (await fillRoom(ws)).answers
    expectStatus(await ws.app.get('/sync'), 200)
    const other = await announce(ws, 'Content-Length: 2', '{}', '/api/v1/sdk')
    assert.equal(statusOf(await other.finish()), 503, 'both roots share the room')
  })
  const texts = await Promise.all(waiting)
  // Those that came while too many were being parsed were told so at once.
  for (const text of texts) assert.ok(statusOf(text) === 202 || /Too many large bodies|UPSTREAM_UNAVAILABLE/.test(text), text)
  assert.ok(texts.filter((text) => statusOf(text) === 202).length >= ROOM)
  expectStatus(await send(ws), 202)
})

test('clients that vanish while their events wait give their room back', async () => {
  const ws = await shop()
  for (let time = 0; time < 2; time++) {
    await whileStalled(ws, async () => vanish((await fillRoom(ws)).senders))
    await until('taken again', async () => (await send(ws)).status === 202)
  }
})

test('what was only announced, came in part or was refused holds no room', async () => {
  const ws = await shop()
  const announced = await announceAll(ws, ROOM + 6)
  const partial = await announceAll(ws, ROOM + 6)
  for (const { socket } of partial) socket.write(BODY.slice(0, -1))
  expectStatus(await send(ws), 202)
  const chunked = await announceAll(ws, ROOM + 6, 'Transfer-Encoding: chunked')
  expectStatus(await send(ws), 202)
  vanish([...announced, ...partial, ...chunked])
  // Too large by its own word, no JSON, no device, compressed.
  for (const [body, status, more] of [
    [BODY, 413, ''],
    ['{'.padEnd(100), 400, ''],
    ['{}', 400, ''],
    [BODY, 415, '\r\nContent-Encoding: gzip'],
  ] as const) {
    const length = status === 413 ? LIMITS.clientBodyBytes * 9 : body.length
    const senders = await Promise.all(Array.from({ length: ROOM + 6 }, () => announce(ws, `Content-Length: ${length}${more}`, body)))
    for (const sender of senders) void sender.finish()
    for (const sender of senders) await until(`${status}`, () => statusOf(sender.text()) === status)
    vanish(senders)
    expectStatus(await send(ws), 202)
  }
})
