import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { countWaiting } from '../../../test/harness/waiting.ts'

const { ctx, url, workspace } = await startApp()
const postgres = { skip: ctx.engine === 'embedded' && 'one connection: a lock holds everybody' }

type Reader = { ws: Workspace; token: string }
async function reader(): Promise<Reader> {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
  return { ws, token }
}

async function ask({ ws, token }: Reader, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nx-tenant-id: ${ws.id}\r\n\r\n`)
  return socket
}

/** Whoever waits for a turn that nobody gives back is refused after twenty seconds. */
async function assertReads({ ws }: Reader): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ws.admin.get('/blocks')))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
}

test('readers who leave, at whatever moment, keep no turn', async () => {
  const leaving = await reader()
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: 20 }, async (_, afterMs) => {
        const socket = await ask(leaving, '/blocks')
        await setTimeout(afterMs)
        socket.destroy()
      }),
    )
  await assertReads(leaving)
})

test('readers who leave while they wait, or while they are answered, keep no turn longer than their work takes', postgres, async () => {
  const leaving = await reader()
  await ctx.db.transaction().execute(async (tx) => {
    await sql`lock table channels in access exclusive mode`.execute(tx)
    const sockets = await Promise.all(Array.from({ length: 12 }, () => ask(leaving, '/notifications/channels')))
    await until('four are answered', async () => (await countWaiting(ctx.db)) === 4)
    for (const socket of sockets) socket.destroy()
    await setTimeout(300)
    assert.equal(await countWaiting(ctx.db), 4, 'what they began still has their turns, and nothing is begun for them')
  })
  await assertReads(leaving)
})
