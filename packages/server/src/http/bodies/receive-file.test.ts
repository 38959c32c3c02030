/** Files on their way in share a bounded part of the disk. */
import assert from 'node:assert/strict'
import { request, type ClientRequest } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { sendBytes, startUpload, type Ticket } from '../../../test/builders/files.ts'
import { begin } from '../../../test/builders/imports.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'

const { workspace } = await startApp({ CF_UPLOAD_SPACE_MB: '1' })

const TYPE = 'application/octet-stream'
const ticketOf = async (ws: Workspace) => startUpload(ws.admin, 'a.bin', TYPE)

/** Announces a million bytes, sends so many of them and stays. */
async function sendSlowly({ uploadUrl, method, headers }: Ticket, size: number): Promise<ClientRequest> {
  const sending = request(uploadUrl, { method, headers: { ...headers, 'content-length': 1_000_000 } })
  sending.on('error', () => {})
  await new Promise<void>((resolve, reject) => sending.write(Buffer.alloc(size), (error) => (error ? reject(error) : resolve())))
  return sending
}

test('M-CONT-02 uploads beyond the space for files on their way in answer 503 and when to come again, until others are over', async () => {
  const ws = await workspace()
  const slow = await sendSlowly(await ticketOf(ws), 900_000)
  const other = await workspace()
  const ticket = await ticketOf(other)
  let refused = await sendBytes(ticket, Buffer.alloc(200_000))
  // The first may still be on its way.
  await until('there is no room', async () => {
    if (refused.status !== 503) refused = await sendBytes(ticket, Buffer.alloc(200_000))
    return refused.status === 503
  })
  assert.equal(refused.headers.get('retry-after'), '30')
  assert.equal(((await refused.json()) as { code: string }).code, 'UPSTREAM_UNAVAILABLE')
  assert.equal((await sendBytes(ticket, Buffer.alloc(50_000))).status, 200, 'what fits is taken')
  const id = await begin(other.admin)
  const file = async (body: string | Buffer, headers = {}) =>
    other.admin.post(`/enrichment/imports/${id}/file`, undefined, { raw: body, headers: { 'content-type': 'text/csv', ...headers } })
  const rows = `id,a\n${Array.from({ length: 20_000 }, (_, at) => `user-${at},x\n`).join('')}`
  const late = await file(rows)
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '30'])
  assert.equal((await file(gzipSync(rows), { 'content-encoding': 'gzip' })).status, 503, 'unpacked it has no room either')
  slow.destroy()
  await until('there is room again', async () => (await sendBytes(ticket, Buffer.alloc(900_000))).status === 200)
  expectStatus(await file(gzipSync(rows), { 'content-encoding': 'gzip' }), 200)
  // Nothing of all that is still counted.
  assert.equal((await sendBytes(ticket, Buffer.alloc(950_000))).status, 200)
})

test('uploads that announce much and send little take little: others are served beside twenty of them', async () => {
  const ws = await workspace()
  const slow = await Promise.all(Array.from({ length: 20 }, async () => sendSlowly(await ticketOf(ws), 1_000)))
  const other = await workspace()
  assert.equal((await sendBytes(await ticketOf(other), Buffer.alloc(900_000))).status, 200)
  for (const each of slow) each.destroy()
})

test('an upload of fewer than a thousand bytes a second is ended with 408, and what it took is free', async () => {
  const ws = await workspace()
  const { uploadUrl, method, headers } = await ticketOf(ws)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sending = request(uploadUrl, { method, headers: { ...headers, 'content-length': 1_000_000 } })
    const trickle = setInterval(() => sending.write(Buffer.alloc(100)), 500)
    sending.on('response', (response) => {
      clearInterval(trickle)
      response.resume()
      resolve(response.statusCode)
    })
    sending.on('error', reject)
  })
  assert.equal(status, 408)
  assert.equal((await sendBytes(await ticketOf(ws), Buffer.alloc(1_000_000))).status, 200)
})

test('a file larger than the whole space is refused before it is sent, and one without a length when it grows too large', async () => {
  const ws = await workspace()
  const ticket = await ticketOf(ws)
  assert.equal((await sendBytes(ticket, Buffer.alloc(1_000_001))).status, 503)
  let left = 3
  const block = new Uint8Array(500_000)
  const stream = new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(block) : to.close()) })
  assert.equal((await fetch(ticket.uploadUrl, { method: 'PUT', body: stream, headers: ticket.headers, duplex: 'half' })).status, 503)
  assert.equal((await sendBytes(ticket, Buffer.alloc(1_000_000))).status, 200)
})
