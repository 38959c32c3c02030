/** A crowd that takes all descriptors takes neither the lock of the data folder nor the database. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { expectStatus, makeBuilders } from '../builders/builders.ts'
import { spawnServer, started } from '../harness/server-process.ts'
import { OPERATOR_TOKEN } from '../harness/start-app.ts'

test('more connections than a process may have open are refused, and it goes on with its data folder and its database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cf-files-'))
  const template = process.env['CF_TEST_TEMPLATE']
  if (template && !process.env['TEST_DATABASE_URL']) cpSync(join(template, 'pg'), join(folder, 'pg'), { recursive: true })
  const server = spawnServer({ CF_DATA_DIR: folder }, 'ulimit -n 400')
  after(async () => {
    server.kill('SIGKILL')
    await server.exit
    rmSync(folder, { recursive: true, force: true })
  })
  const url = await started(server)
  const ws = await makeBuilders(url, OPERATOR_TOKEN).workspace()
  const { hostname, port } = new URL(url)
  let refused = 0
  const isRefused = Promise.withResolvers<void>()
  const crowd = Array.from({ length: 500 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}) // it may be cut
    socket.on('close', () => ++refused === 150 && isRefused.resolve())
    return socket.resume()
  })
  await isRefused.promise
  // Renewed twice, so none was missed for want of a descriptor.
  const renewedAt = () => statSync(join(folder, 'contentflow.lock')).mtimeMs
  for (let times = 0, last = renewedAt(); times < 2; last = renewedAt()) {
    assert.equal(await Promise.race([server.exit.then(() => 'ended'), setTimeout(50, 'lives')]), 'lives', server.output())
    if (renewedAt() !== last) times++
  }
  for (const socket of crowd) socket.destroy()
  let block
  do block = await ws.admin.post('/blocks', { key: 'afterwards' }).catch(() => undefined)
  while (block === undefined)
  expectStatus(block, 201)
})
