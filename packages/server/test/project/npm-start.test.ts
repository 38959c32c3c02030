import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../harness/start-app.ts'

test('a signal to `npm start` stops the server: nothing of it is left', async () => {
  const database = await freshDatabase()
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  // As a supervisor starts it; what sets the folder up has run already.
  const npm = spawn('npm', ['start', '--silent', '--ignore-scripts'], {
    cwd: root,
    env: { ...process.env, ...database.env, PORT: '0', CF_DEMO: 'off', CF_LOG_LEVEL: 'error', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const text of npm.stdout) {
    printed += String(text)
    if (printed.includes('ContentFlow is at')) break
  }
  const url = /http:\S+/.exec(printed)?.[0] ?? ''
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  // npm may be gone a moment before its child; a server that nobody told would answer for ever.
  while (
    await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  )
    await new Promise((resolve) => setTimeout(resolve, 50))
  await database.remove()
})
