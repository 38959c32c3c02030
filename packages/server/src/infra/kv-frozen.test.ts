/** The shared counters while Redis does not answer. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, test } from 'node:test'
import { freePort } from '../../test/harness/server-process.ts'
import { startApp } from '../../test/harness/start-app.ts'

test('a Redis that freezes holds up no request; it is counted locally, /readyz says so, and shared again when it thaws', async () => {
  const port = await freePort()
  const redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
  after(() => redis.kill('SIGKILL'))
  const { workspace, url } = await startApp({ REDIS_URL: `redis://127.0.0.1:${port}` })
  const readiness = async () => ((await (await fetch(`${url}/readyz`)).json()) as { data: { status: string; redis?: string } }).data
  const until = async (state: string) => {
    while ((await readiness()).redis !== state) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until('up')
  redis.kill('SIGSTOP')
  // Each of a workspace nobody has asked of before, so each has to count. One after another they would wait for ever.
  const spaces = await Promise.all(Array.from({ length: 3 }, () => workspace()))
  for (const ws of spaces) assert.equal((await ws.app.get('/sync')).status, 200)
  await until('down')
  assert.equal((await readiness()).status, 'degraded')
  const left = async () => Number((await spaces[0]!.app.get('/sync')).headers.get('x-ratelimit-remaining'))
  const first = await left()
  assert.equal(await left(), first - 1)
  redis.kill('SIGCONT')
  await until('up')
  assert.equal((await readiness()).status, 'ready')
  assert.equal((await spaces[0]!.app.get('/sync')).status, 200)
})
