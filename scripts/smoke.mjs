/** Starts the product as a newcomer does (`npm start`, an empty folder for its data) and uses only what it prints. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const data = mkdtempSync(join(tmpdir(), 'contentflow-smoke-'))
const port = await freePort()
const server = spawn('npm', ['start', '--silent'], {
  env: { ...process.env, PORT: String(port), CF_DATA_DIR: data },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
const timer = setTimeout(() => finish(1, 'The server did not get through the smoke test within two minutes'), 120_000)
try {
  const printed = await readUntil(server.stdout, /\/sdk\/v1\/sync/)
  const said = (label) => new RegExp(`${label} +(\\S+)`).exec(printed)?.[1] ?? assert.fail(`"${label}" was not printed:\n${printed}`)
  const address = said('ContentFlow is at')
  await tour(address, {
    email: said('Sign in'),
    password: said('Password'),
    workspace: said('Workspace'),
    live: said('App key \\(live\\)'),
    write: said('Write key'),
  })
  finish(0, 'What npm start prints works')
} catch (error) {
  finish(1, String(error))
}

/** From what was printed to a published block; the rest of docs/start/three-minutes.md is run by packages/server/test/project/guides.test.ts. */
async function tour(address, { email, password, workspace, live, write }) {
  const call = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, etag: response.headers.get('etag'), body: text && JSON.parse(text) }
  }
  const token = (await call('POST', '/api/v1/auth/login', { body: { email, password } })).body.data.token
  const person = { authorization: `Bearer ${token}`, 'x-tenant-id': workspace }
  const app = { 'x-cf-key': live }

  for (const page of ['/', '/login', '/docs', '/guide/', '/demo/shop/', '/demo/shop/config.json'])
    assert.equal((await fetch(address + page)).status, 200, page)
  const demo = await call('GET', '/sdk/v1/sync', { headers: app })
  assert.ok(demo.body.data.blocks.length >= 20, 'the demo shop has content')
  const registered = await call('POST', '/sdk/v1/cards/register', {
    headers: { 'x-cf-write-key': write },
    body: { key: 'smoke', fields: [{ tag: '#title', type: 'text', required: true }] },
  })
  assert.equal(registered.status, 201)
  const path = `/api/v1/blocks/smoke/instances/${registered.body.data.instanceId}`
  assert.equal((await call('PUT', path, { headers: person, body: { values: { '#title': 'one' } } })).status, 200)
  assert.equal((await call('POST', `${path}/publish`, { headers: person })).status, 200)
  const synced = await call('GET', '/sdk/v1/sync', { headers: app })
  assert.equal(synced.body.data.blocks.find((block) => block.key === 'smoke').values['#title'], 'one')
  assert.equal((await call('GET', '/sdk/v1/sync', { headers: { ...app, 'if-none-match': synced.etag } })).status, 304)
}

async function readUntil(stream, pattern) {
  let text = ''
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString()
    if (pattern.test(text)) return text
  }
  throw new Error(`the output ended before ${pattern}:\n${text}`)
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}

function finish(code, message) {
  clearTimeout(timer)
  process.stdout.write(`${message}\n`)
  process.kill(-(server.pid ?? 0), 'SIGTERM')
  server.once('exit', () => {
    rmSync(data, { recursive: true, force: true })
    process.exit(code)
  })
}
