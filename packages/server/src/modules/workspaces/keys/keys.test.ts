import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { clientOf, expectStatus, request, type Answer, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, url } = await startApp()

const CLIENT_KINDS = [
  ['publishable', 'live'],
  ['publishable', 'test'],
  ['secret', 'live'],
  ['secret', 'test'],
] as const
const FAMILIES = ['sdk-keys', 'write-keys', 'read-keys'] as const
const bodyFor = (family: (typeof FAMILIES)[number]) => (family === 'sdk-keys' ? { kind: 'publishable', environment: 'live' } : {})
const told = ({ status, body }: Answer) => [status, body.code]
const sync = (key: string) => request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': key } })

/** One key of every kind, as its making answered it. */
async function everyKey(ws: Workspace): Promise<any[]> {
  const made = []
  for (const [kind, environment] of CLIENT_KINDS)
    made.push(expectStatus(await ws.admin.post('/settings/sdk-keys', { kind, environment, name: 'App' }), 201).data)
  for (const family of ['write-keys', 'read-keys'] as const)
    made.push(expectStatus(await ws.admin.post(`/settings/${family}`, { name: 'CI' }), 201).data)
  return made
}

test('C-AUTH-01 C-AUTH-43 M-KEY-08 G-08 G-09 keys have the documented texts and are answered with all their members', async () => {
  const ws = await workspace()
  const made = await everyKey(ws)
  const patterns = [
    new RegExp(`^${ws.id}_cfpk[0-9a-f]{40}$`),
    new RegExp(`^${ws.id}_cfpk[0-9a-f]{40}$`),
    /^pk_live_[0-9a-f]{40}$/,
    /^pk_test_[0-9a-f]{40}$/,
    /^wk_live_[0-9a-f]{40}$/,
    /^rk_live_[0-9a-f]{24}$/,
  ]
  for (const [index, { key, id, name, masked, createdAt }] of made.entries()) {
    assert.match(key, patterns[index]!)
    assert.equal(name, index < 4 ? 'App' : 'CI')
    assert.ok(typeof id === 'string' && id !== '')
    assert.ok(Math.abs(Date.parse(createdAt) - ctx.clock.ms()) < 60_000)
    const prefix = key.replace(/[0-9a-f]{24,40}$/, '')
    assert.equal(masked, `${prefix}...${key.slice(-4)}`)
  }
  assert.deepEqual(
    made.slice(0, 4).map(({ kind, environment }) => [kind, environment]),
    CLIENT_KINDS,
  )
  assert.equal(new Set(made.map(({ key }) => key)).size, 6)
  assert.equal(expectStatus(await ws.admin.post('/settings/sdk-keys', bodyFor('sdk-keys')), 201).data.name, '')
})

test('C-AUTH-03 M-KEY-03 M-KEY-04 the full text is in the answer that makes or rotates a key and nowhere else', async () => {
  const ws = await workspace()
  const made = await everyKey(ws)
  const texts: string[] = []
  for (const [index, { id, key, masked }] of made.entries()) {
    const path = `/settings/${index < 4 ? 'sdk-keys' : index === 4 ? 'write-keys' : 'read-keys'}`
    const rotated = expectStatus(await ws.admin.post(`${path}/${id}/rotate`), 200).data
    assert.ok(rotated.key && rotated.key !== key && rotated.id === id && rotated.masked !== masked)
    texts.push(key, rotated.key)
    const list = expectStatus(await ws.admin.get(path), 200)
    const listed = list.data.keys.find((each: any) => each.id === id)
    assert.equal(listed.masked, rotated.masked)
    assert.equal('key' in listed, false)
    assert.equal((await ws.admin.get(`${path}/${id}`)).status, 405)
  }
  for (const family of FAMILIES) {
    const { text } = await ws.admin.get(`/settings/${family}`)
    for (const key of texts) assert.equal(text.includes(key) || text.includes(key.slice(-24)), false)
  }
})

test('C-AUTH-04 M-KEY-05 no table holds the text of a key, or its secret part', async () => {
  const ws = await workspace()
  const made = await everyKey(ws)
  const secrets = [...made.map(({ key }) => key), ws.live, ws.writeKey].map((key) => key.slice(-24))
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(ctx.db)
  assert.ok(tables.length >= 8)
  let isKeyTableSeen = false
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(ctx.db)
    isKeyTableSeen ||= name === 'keys' && rows.length >= 10
    for (const { row } of rows) for (const secret of secrets) assert.equal(row.includes(secret), false, `${name} holds a secret`)
  }
  assert.ok(isKeyTableSeen)
})

test('C-AUTH-19 C-AUTH-41 a revoked key is refused from the next request on, seen before or not, and the others go on', async () => {
  const ws = await workspace()
  for (const isSeen of [true, false]) {
    for (const [kind, environment] of CLIENT_KINDS) {
      const { id, key } = await ws.key(kind, environment)
      if (isSeen) assert.equal((await sync(key)).status, 200)
      assert.deepEqual(expectStatus(await ws.admin.delete(`/settings/sdk-keys/${id}`), 200).data, { deleted: true })
      for (let i = 0; i < 2; i++) assert.deepEqual(told(await sync(key)), [401, 'INVALID_SDK_KEY'])
      assert.equal((await ws.admin.delete(`/settings/sdk-keys/${id}`)).status, 404)
      assert.equal((await ws.admin.post(`/settings/sdk-keys/${id}/rotate`)).status, 404)
      assert.equal((await ws.admin.get('/settings/sdk-keys')).text.includes(id), false)
    }
  }
  for (const key of [ws.live, ws.test]) assert.equal((await sync(key)).status, 200)
})

test('C-AUTH-19 however revoking and using a key overlap, it is refused once the revocation was answered', async () => {
  const ws = await workspace()
  for (let round = 0; round < 40; round++) {
    const { id, key } = await ws.key(round % 2 ? 'secret' : 'publishable', 'live')
    const revoking = ws.admin.delete(`/settings/sdk-keys/${id}`)
    const using = Array.from({ length: 10 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index))
      return sync(key)
    })
    assert.equal((await revoking).status, 200)
    assert.deepEqual(told(await sync(key)), [401, 'INVALID_SDK_KEY'], `round ${round}`)
    await Promise.all(using)
    assert.deepEqual(told(await sync(key)), [401, 'INVALID_SDK_KEY'], `round ${round}`)
  }
})

test('G-08 rotating an application key keeps its id and environment and ends the old text at once', async () => {
  const ws = await workspace()
  for (const [kind, environment] of CLIENT_KINDS) {
    const made = await ws.key(kind, environment)
    assert.equal((await sync(made.key)).status, 200)
    const rotated = expectStatus(await ws.admin.post(`/settings/sdk-keys/${made.id}/rotate`), 200).data
    assert.deepEqual([rotated.id, rotated.kind, rotated.environment], [made.id, kind, environment])
    assert.deepEqual(told(await sync(made.key)), [401, 'INVALID_SDK_KEY'])
    const answer = await sync(rotated.key)
    assert.deepEqual([answer.status, answer.headers.get('x-cf-env')], [200, environment])
  }
})

test('M-KEY-06 rotating or revoking a write key ends the old text at once', async () => {
  const ws = await workspace()
  const { id, key } = expectStatus(await ws.admin.post('/settings/write-keys', {}), 201).data
  const register = (text: string) => ws.sdk({ 'x-cf-write-key': text }).post('/cards/register', { key: 'promo', seedInstance: false })
  expectStatus(await register(key), 201)
  const rotated = expectStatus(await ws.admin.post(`/settings/write-keys/${id}/rotate`), 200).data
  const refused = await register(key)
  assert.deepEqual([refused.status, refused.body], [401, { success: false, error: 'invalid write key' }])
  assert.ok((await register(rotated.key)).status < 300)
  expectStatus(await ws.admin.delete(`/settings/write-keys/${id}`), 200)
  assert.equal((await register(rotated.key)).status, 401)
  assert.ok((await register(ws.writeKey)).status < 300)
})

test('M-KEY-01 M-KEY-02 admins and editors make, rotate and revoke keys of every family, viewers none of it', async () => {
  const ws = await workspace()
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  for (const family of FAMILIES) {
    const path = `/settings/${family}`
    for (const client of [ws.admin, editor]) {
      const { id } = expectStatus(await client.post(path, bodyFor(family)), 201).data
      expectStatus(await client.post(`${path}/${id}/rotate`), 200)
      expectStatus(await client.get(path), 200)
      expectStatus(await client.delete(`${path}/${id}`), 200)
    }
    const { id } = expectStatus(await ws.admin.post(path, bodyFor(family)), 201).data
    const before = (await ws.admin.get(path)).text
    for (const refused of [
      await viewer.post(path, bodyFor(family)),
      await viewer.post(`${path}/${id}/rotate`),
      await viewer.delete(`${path}/${id}`),
    ])
      assert.deepEqual(told(refused), [403, 'ROLE_REQUIRED'])
    // G-08, G-09: any member lists application keys, the other two families are for admins and editors.
    assert.equal((await viewer.get(path)).status, family === 'sdk-keys' ? 200 : 403)
    assert.equal((await ws.admin.get(path)).text, before)
  }
})

test('G-08 G-09 ids work in their own family and workspace only, and wrong bodies are 400', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const { id } = expectStatus(await ws.admin.post('/settings/write-keys', {}), 201).data
  const tryOn = async (client: Client, family: string) => {
    assert.equal((await client.post(`/settings/${family}/${id}/rotate`)).status, 404)
    assert.equal((await client.delete(`/settings/${family}/${id}`)).status, 404)
  }
  await tryOn(ws.admin, 'sdk-keys')
  await tryOn(ws.admin, 'read-keys')
  await tryOn(other.admin, 'write-keys')
  for (const body of [
    {},
    { kind: 'publishable' },
    { environment: 'live' },
    { kind: 'write', environment: 'live' },
    { kind: 'publishable', environment: 'staging' },
    { kind: 'publishable', environment: 'live', name: 5 },
  ]) {
    const refused = await ws.admin.post('/settings/sdk-keys', body)
    assert.deepEqual([refused.status, 'code' in refused.body], [400, false], JSON.stringify(body))
  }
  assert.equal((await clientOf(`${url}/api/v1`, { 'x-tenant-id': ws.id }).post('/settings/write-keys', {})).status, 401)
})

test('G-09 a write or read key stays one, whatever kind or environment its body names', async () => {
  const ws = await workspace()
  for (const [family, prefix] of [
    ['write-keys', 'wk_live_'],
    ['read-keys', 'rk_live_'],
  ] as const) {
    for (const body of [{ kind: 'secret', environment: 'live' }, { kind: 'publishable', environment: 'test' }, { kind: null }]) {
      const { key } = expectStatus(await ws.admin.post(`/settings/${family}`, body), 201).data
      assert.ok(key.startsWith(prefix), `${family} ${JSON.stringify(body)}`)
    }
  }
  assert.equal((await ws.admin.get('/settings/sdk-keys')).data.keys.length, 2)
})

test('G-04 lists come in pages that together hold everything once, and refuse other page sizes', async () => {
  const ws = await workspace()
  await ws.editor()
  await ws.viewer()
  for (let i = 0; i < 3; i++) expectStatus(await ws.admin.post('/workspaces', { name: `W${i}` }), 201)
  for (const [path, name, total] of [
    ['/settings/sdk-keys', 'keys', 2],
    ['/members', 'members', 3],
    ['/workspaces', 'workspaces', 4],
  ] as const) {
    const whole = expectStatus(await ws.admin.get(path), 200).data[name]
    assert.equal(whole.length, total)
    for (const limit of [1, 2, 200]) {
      const seen = []
      let cursor: string | null = null
      do {
        const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const { data, metadata }: any = expectStatus(await ws.admin.get(`${path}?limit=${limit}${after}`), 200).body
        assert.ok(data[name].length <= limit && data[name].length > 0)
        assert.equal(metadata.total, total)
        seen.push(...data[name])
        cursor = metadata.nextCursor
      } while (cursor !== null)
      assert.deepEqual(seen, whole, `${path} by ${limit}`)
    }
    for (const bad of ['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'cursor=nobody'])
      assert.equal((await ws.admin.get(`${path}?${bad}`)).status, 400, `${path}?${bad}`)
  }
})
