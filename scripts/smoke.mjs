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
  finish(0, 'The tour of the README works')
} catch (error) {
  finish(1, String(error))
}

/** The tour of the README. */
async function tour(address, { email, password, workspace, live, write }) {
  const call = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, etag: response.headers.get('etag'), body: text && JSON.parse(text) }
  }
  const token = (await call('POST', '/api/v1/auth/login', { body: { email, password } })).body.data.token
  const person = { authorization: `Bearer ${token}`, 'x-tenant-id': workspace }
  const app = { 'x-cf-key': live }

  for (const page of ['/', '/login', '/docs', '/demo/shop/', '/demo/shop/config.json'])
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
  assert.equal(find(synced).values['#title'], 'one')
  assert.equal((await call('GET', '/sdk/v1/sync', { headers: { ...app, 'if-none-match': synced.etag } })).status, 304)

  const stream = await fetch(`${address}/sdk/v1/stream`, { headers: app })
  const signalled = readUntil(stream.body, /event: block\.updated/)
  await call('PUT', path, { headers: person, body: { values: { '#title': 'two' } } })
  await signalled
  assert.equal(find(await call('GET', '/sdk/v1/sync', { headers: app })).values['#title'], 'two')
  assert.equal((await call('POST', `${path}/revisions/2/rollback`, { headers: person })).status, 200)
  const back = find(await call('GET', '/sdk/v1/sync', { headers: app }))
  assert.deepEqual([back.values['#title'], back.version], ['one', 4])

  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'platinum' }]
  const segment = await call('POST', '/api/v1/segments', { headers: person, body: { name: 'Smoke', logicalOperator: 'AND', rules } })
  assert.equal(segment.status, 201)
  assert.equal((await call('PUT', path, { headers: person, body: { seg: 'Smoke' } })).status, 200)
  const phone = { ...app, 'x-cf-device': 'smoke-phone' }
  const identify = (body) => call('POST', '/sdk/v1/identify', { headers: phone, body })
  assert.deepEqual((await identify({ userId: 'smoke', consent: true, traits: { plan: 'platinum' } })).body.data.segments, ['Smoke'])
  assert.equal(find(await call('GET', '/sdk/v1/sync', { headers: phone })).segment, 'Smoke')

  const pipeline = { 'x-cf-write-key': write }
  const strings = [{ key: 'smoke.hello', sourceText: 'Hello {name}', values: { ar: 'أهلًا {name}' } }]
  const sent = await call('POST', '/sdk/v1/strings/sync', { headers: pipeline, body: { strings } })
  assert.deepEqual([sent.body.data.created, sent.body.data.translationsWritten, sent.body.data.skippedLocales], [1, 1, []])
  const arabic = async () => (await call('GET', '/sdk/v1/strings?locale=ar', { headers: app })).body.data
  assert.ok(Object.keys((await arabic()).strings).length > 50, 'the demo shop has texts')
  const translation = '/api/v1/strings/smoke.hello/translations/ar'
  assert.equal((await call('PUT', translation, { headers: person, body: { text: 'أهلًا' } })).status, 200)
  assert.equal((await arabic()).strings['smoke.hello'], 'Hello {name}')
  assert.equal((await call('POST', `${translation}/approve`, { headers: person })).body.code, 'PLACEHOLDER_MISMATCH')
  assert.equal((await call('POST', `${translation}/approve`, { headers: person, body: { text: 'مرحبًا {name}' } })).status, 200)
  assert.equal((await arabic()).strings['smoke.hello'], 'مرحبًا {name}')

  const events = [
    { type: 'impression', blockKey: 'smoke', eventId: 'e-1' },
    { type: 'cta_click', blockKey: 'smoke' },
  ]
  assert.equal((await call('POST', '/sdk/v1/events', { headers: phone, body: { events } })).body.data.accepted, 2)
  const counts = async () => (await call('GET', '/api/v1/analytics/blocks/smoke', { headers: person })).body.data
  for (const until = Date.now() + 5_000; (await counts()).total < 2 && Date.now() < until;)
    await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(await counts(), { impressions: 1, clicks: 1, dismissals: 0, conversions: 0, total: 2 })
  const overview = (await call('GET', '/api/v1/analytics/overview?interval=hour', { headers: person })).body.data
  assert.equal(overview.totals.total, 2)

  await loadTiers(call, person)

  const why = async () =>
    (await call('GET', '/api/v1/explain/blocks/smoke?deviceId=smoke-phone', { headers: person })).body.data.instances[0]
  assert.equal((await why()).reason, 'delivered')
  assert.equal((await identify({ consent: false })).status, 200)
  assert.equal(find(await call('GET', '/sdk/v1/sync', { headers: phone })), undefined)
  assert.equal((await why()).reason, 'consent_denied')
  assert.equal((await call('GET', '/api/v1/users/smoke/consents', { headers: person })).body.data.consents.length, 2)
  const erased = (await call('DELETE', '/sdk/v1/identify', { headers: phone })).body.data
  assert.equal(erased.localWipeSafe, true)
  assert.equal((await call('GET', `/api/v1/erasures/${erased.erasureId}`, { headers: person })).body.data.status, 'complete')

  function find(answer) {
    return answer.body.data.blocks.find((block) => block.key === 'smoke')
  }
}

/** A file is tried, written, followed by a segment, and taken back. */
async function loadTiers(call, person) {
  const imports = '/api/v1/enrichment/imports'
  const send = async (method, path, body) => (await call(method, path, { headers: person, ...(body && { body }) })).body.data
  const mapping = { identity: { column: 'customer', type: 'userId' }, columns: [{ column: 'tier', name: 'tier', type: 'string' }] }
  const { importId } = await send('POST', imports, { fileName: 'tiers.csv', headers: ['customer', 'tier'], mapping })
  const path = `${imports}/${importId}`
  const rows = [
    ['smoke', 'gold'],
    ['omar', 'silver'],
    ['', 'gold'],
  ]
  assert.deepEqual((await send('POST', `${path}/rows`, { startRow: 1, rows })).counts, { rows: 3, rejected: 1 })
  const settled = async (status) => {
    for (const until = Date.now() + 30_000; Date.now() < until;) {
      const found = await send('GET', path)
      if (found.status === status) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the import is not ${status}`)
  }
  await send('POST', `${path}/match`)
  assert.deepEqual((await settled('ready')).counts.matched, 1)
  await send('POST', `${path}/commit`, {})
  await settled('committed')
  const rules = [{ field: 'enrichment.tier', operator: 'equals', value: 'gold' }]
  const { id } = await send('POST', '/api/v1/segments', { name: 'Smoke gold', logicalOperator: 'AND', rules })
  const members = async () => (await send('GET', `/api/v1/segments/${id}/members`)).userIds
  assert.deepEqual(await members(), ['smoke'])
  assert.equal((await send('DELETE', `/api/v1/enrichment/uploads/${importId}`)).removedValues, 1)
  for (const until = Date.now() + 30_000; (await members()).length > 0 && Date.now() < until;)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(await members(), [])
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
