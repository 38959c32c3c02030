/** Connections that are kept open and say nothing more: they are closed in time, and take nothing from those who ask. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { send } from '../harness/raw.ts'
import { startApp } from '../harness/start-app.ts'
import { pause, PATIENCE_MS } from '../harness/until.ts'

const { app, url, workspace, operator } = await startApp()

const IDLE = 4_000
const WIDTH = 200

/** Asks once; resolves when it is answered. `closed` resolves when the server ends the connection. */
function openIdle(): Promise<{ closed: Promise<void> }> {
  const { hostname, port } = new URL(url)
  const closed = Promise.withResolvers<void>()
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'))
    socket.on('error', reject)
    socket.on('close', () => {
      reject(new Error('closed before it was answered'))
      closed.resolve()
    })
    socket.setEncoding('latin1').once('data', (text) => {
      if (String(text).startsWith('HTTP/1.1 200')) resolve({ closed: closed.promise })
      else reject(new Error(`answered ${String(text)}`))
    })
  })
}

test('an answer says how long its connection is kept: between 5 and 75 seconds', async () => {
  const { headers } = await send(url, '/healthz', { headers: { connection: 'keep-alive' } })
  const seconds = Number(/^timeout=(\d+)$/.exec(String(headers['keep-alive']))?.[1])
  assert.ok(seconds >= 5 && seconds <= 75, String(headers['keep-alive']))
})

test('thousands of idle connections are closed after that time, and meanwhile everybody else is answered', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  // What the first test has read, shortened, because a test should not wait for a minute.
  app.http.server.keepAliveTimeout = 2_000
  const closings: Promise<void>[] = []
  let closedCount = 0
  while (closings.length < IDLE) {
    const opened = await Promise.all(Array.from({ length: WIDTH }, openIdle))
    for (const { closed } of opened) closings.push(closed.then(() => void closedCount++))
  }
  assert.ok(closedCount < IDLE, 'some are open still')
  const allClosed = Promise.all(closings).then(() => true)
  const deadline = Date.now() + PATIENCE_MS
  let isDone: boolean | void = false
  while (!isDone) {
    assert.ok(Date.now() < deadline, `${IDLE - closedCount} connections are open still`)
    expectStatus(await ws.app.get('/sync'), 200)
    isDone = await Promise.race([allClosed, pause(20)])
  }
})
