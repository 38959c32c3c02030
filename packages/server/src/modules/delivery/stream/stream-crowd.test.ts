/** Changes that follow each other while a crowd is still being told of the first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, ctx, url, app } = await startApp()

/** Of a few slices, between which other changes come in. */
const STREAMS = 350
/** Above all ids there are. */
const FIRST = 1_000
const CHANGES = 20

test('C-STREAM-06 of changes that come while a crowd is told, every stream hears the newest of each name, in their order', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo')
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })))
  await Promise.all(streams.map((stream) => stream.until('the greeting', () => stream.text().includes('\n'))))
  // As other processes tell of theirs.
  await ctx.signals.apply(
    Array.from({ length: CHANGES }, (_, i) => ({
      kind: 'content',
      workspaceId: ws.id,
      environment: 'live',
      revision: 1,
      name: i % 2 === 0 ? 'block.updated' : 'block.unpublished',
      signalId: FIRST + i,
    })),
  )
  for (const stream of streams) {
    await stream.until('the last change', () => stream.events.some(({ id }) => Number(id) === FIRST + CHANGES - 1))
    const ids = stream.events.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(
      stream.events.slice(-2).map(({ event, id }) => `${event} ${id}`),
      [`block.updated ${FIRST + CHANGES - 2}`, `block.unpublished ${FIRST + CHANGES - 1}`],
    )
    assert.ok(ids.length < CHANGES, 'those in between were told as well')
    stream.close()
  }
})

test('a stream whose client leaves while its key is looked up is never opened', async () => {
  const ws = await workspace()
  const { hostname, port } = new URL(url)
  const arrived = Promise.withResolvers<void>()
  let left = 20
  app.http.server.on('request', () => --left === 0 && arrived.resolve())
  // While it lasts no key is found: PostgreSQL holds the table, the embedded database everything.
  await ctx.db.transaction().execute(async (tx) => {
    await sql`lock table keys in access exclusive mode`.execute(tx)
    const sockets = Array.from({ length: left }, () => connect(Number(port), hostname))
    for (const socket of sockets) socket.write(`GET /sdk/v1/stream HTTP/1.1\r\nhost: x\r\nx-cf-key: ${ws.live}\r\n\r\n`)
    await arrived.promise
    for (const socket of sockets) socket.resetAndDestroy()
    await sleep(100)
  })
  expectStatus(await ws.app.get('/sync'), 200)
  const open = /^contentflow_streams (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())
  assert.equal(open?.[1], '0')
})
