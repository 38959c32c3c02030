/** A workspace as one document may be all it holds: few are in the making at once. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { expectStatus, PASSWORD, uniqueEmail, clientOf, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { url, workspace } = await startApp()

function ask(ws: Workspace, token: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /api/v1/workspace/code HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nx-tenant-id: ${ws.id}\r\n\r\n`)
  return socket
}

/** Asks for the document and takes nothing of it but its beginning. */
async function slowReader(ws: Workspace, token: string): Promise<Socket> {
  const socket = ask(ws, token)
  const [begin] = await once(socket, 'data')
  assert.match(String(begin), /^HTTP\/1\.1 200 /)
  socket.pause()
  return socket
}

test('two slow readers of a large workspace keep a third one of it waiting, and nobody else', async () => {
  const email = uniqueEmail()
  const [ws, other] = [await workspace({ email }), await workspace()]
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
  const fields = Array.from({ length: 36 }, (_, i) => ({ id: `f${i}`, tag: `#f${i}`, type: 'text' }))
  await ws.block('large', { fields })
  const values = Object.fromEntries(fields.map(({ tag }) => [tag, 'v'.repeat(250_000)]))
  // More than what waits in sockets.
  for (let i = 0; i < 3; i++) await ws.instance('large', { values }, { publish: false })
  const readers = [await slowReader(ws, token), await slowReader(ws, token)]
  let isDone = false
  const third = ws.admin.get('/workspace/code?only=blocks').finally(() => (isDone = true))
  for (let times = 0; times < 5; times++) expectStatus(await other.admin.get('/workspace/code'), 200)
  assert.equal(isDone, false)
  // Who leaves while it is read keeps no turn either.
  for (let times = 0; times < 4; times++) {
    const leaving = ask(ws, token)
    await once(leaving, 'connect')
    leaving.destroy()
  }
  for (const reader of readers) reader.destroy()
  assert.equal(expectStatus(await third, 200).data.blocks.length, 1)
  assert.equal(expectStatus(await ws.admin.get('/workspace/code'), 200).data.instances.length, 3)
})
