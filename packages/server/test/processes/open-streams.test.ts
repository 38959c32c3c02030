/** Streams and connections of one key or address take what they may and no more: the rest of the process is everybody else's. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { expectStatus, makeBuilders, type Workspace } from '../builders/builders.ts'
import { send } from '../harness/raw.ts'
import { spawnServer, started } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

/** The embedded database opens a few hundred itself. */
const FILES = process.env['TEST_DATABASE_URL'] ? 200 : 1_000
/** More than a process of so many files may have. */
const CROWD = FILES
/** Addresses of this machine, each of them a caller of its own. */
const addressOf = (index: number) => `127.0.0.${index + 2}`

const database = await freshDatabase()
const server = spawnServer(database.env, `ulimit -n ${FILES}`)
after(async () => {
  server.kill('SIGKILL')
  await server.exit
  await database.remove()
})
const url = await started(server)
const builders = makeBuilders(url, OPERATOR_TOKEN)
const [busy, quiet] = [await builders.workspace(), await builders.workspace()]
for (const { id } of [busy, quiet])
  expectStatus(await builders.operator.put(`/operator/workspaces/${id}/plan`, { requestsPerMinute: null }), 200)

type Line = { socket: Socket; text: string; isClosed: boolean }
const lines: Line[] = []

/** Connections from an address, each of which sends `request` at once. */
function open(count: number, localAddress: string, request: string): Line[] {
  const { hostname, port } = new URL(url)
  const opened = Array.from({ length: count }, () => {
    const line: Line = { socket: connect({ port: Number(port), host: hostname, localAddress }), text: '', isClosed: false }
    line.socket.setEncoding('latin1').on('data', (chunk) => (line.text += String(chunk)))
    line.socket.on('error', () => {}).on('close', () => (line.isClosed = true))
    line.socket.write(request)
    return line
  })
  lines.push(...opened)
  return opened
}

const streamOf = ({ live }: Workspace) => `GET /sdk/v1/stream HTTP/1.1\r\nHost: x\r\nX-CF-Key: ${live}\r\n\r\n`
const areAnswered = (some: readonly Line[]) => some.every(({ text, isClosed }) => text.includes('\r\n\r\n') || isClosed)
const isOpen = ({ text, isClosed }: Line) => text.startsWith('HTTP/1.1 200') && !isClosed

async function closeAll(): Promise<void> {
  for (const { socket } of lines.splice(0)) socket.destroy()
  await until('all streams are closed', async () => (await numberOf('contentflow_streams')) === 0)
}

/** The sum of a metric over all its labels. */
async function numberOf(metric: string): Promise<number> {
  const { text } = await builders.anyone.get('/metrics')
  return [...text.matchAll(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0)
}

const isServed = async () => (await send(url, '/healthz', {}).catch(() => undefined))?.status === 200

/** Each on a connection of its own. */
async function assertServed(): Promise<void> {
  for (const path of ['/healthz', '/readyz']) assert.equal((await send(url, path, {})).status, 200)
  const { status } = await send(url, '/sdk/v1/sync', { headers: { 'x-cf-key': quiet.live } })
  assert.equal(status, 200)
  expectStatus(await quiet.app.post('/consent', { deviceId: 'd', channels: { push: true } }), 200)
  const [stream] = open(1, '127.0.0.1', streamOf(quiet))
  await until('a stream of others opens', () => isOpen(stream!))
}

test('streams of one key from one address are refused beyond their share; others are served, and get streams too', async () => {
  const crowd = open(CROWD, addressOf(0), streamOf(busy))
  await until('all are answered or closed', () => areAnswered(crowd))
  const refused = crowd.filter(({ text }) => text.startsWith('HTTP/1.1 503'))
  const most = await numberOf('contentflow_streams_max')
  assert.ok(crowd.filter(isOpen).length >= most / 2, `${crowd.filter(isOpen).length} of ${most} are open`)
  assert.ok(refused.length > 0)
  for (const { text } of refused) assert.match(text, /retry-after: [1-9]\d*\r\n[^]*"code":"UPSTREAM_UNAVAILABLE"/i)
  await assertServed()
  assert.ok((await numberOf('contentflow_streams_refused_total')) >= refused.length)
  await closeAll()
  const again = open(5, addressOf(0), streamOf(busy))
  await until('whoever was refused may come again', () => again.every(isOpen))
  await closeAll()
})

test('streams of one key from many addresses leave room for those of other keys', async () => {
  const crowd = Array.from({ length: 10 }, (_, index) => open(CROWD / 10, addressOf(index), streamOf(busy))).flat()
  await until('all are answered or closed', () => areAnswered(crowd))
  const [opened, most] = [crowd.filter(isOpen).length, await numberOf('contentflow_streams_max')]
  assert.ok(opened > 0 && opened < most, `${opened} of ${most} are open`)
  await assertServed()
  await closeAll()
})

test('connections of one address that say nothing, or keep an answered one open, leave some to others', async () => {
  for (const request of ['', 'GET /hea', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const crowd = open(CROWD, addressOf(0), request)
    await until('those beyond the share are closed', () => crowd.some(({ isClosed }) => isClosed))
    // While a crowd is let in, all that the process may have are taken for a moment.
    await until('somebody else is served', isServed)
    await assertServed()
    assert.ok((await numberOf('contentflow_connections_refused_total')) > 0)
    await closeAll()
  }
})

test('when no connection is left at all, those that wait for a next request make room', async () => {
  const healthz = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const crowd = Array.from({ length: 20 }, (_, index) => open(CROWD / 10, addressOf(index), healthz)).flat()
  await until('all are answered or closed', () => areAnswered(crowd))
  await until('somebody else is served', isServed)
  await assertServed()
})
