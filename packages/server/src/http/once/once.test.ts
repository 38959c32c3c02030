/** The header `Idempotency-Key` (decision 81): what it takes, what a repeat gets, and what is refused. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { clientOf, expectStatus, type Client } from '../../../test/builders/builders.ts'
import { assertRefusal } from '../../../test/harness/refusals.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const ORIGIN = 'https://portal.example.com'
const { ctx, url, workspace, operator, advance } = await startApp({ CF_PORTAL_ORIGINS: ORIGIN })

const SEGMENT = { logicalOperator: 'OR', rules: [{ field: 'customAttributes.x', operator: 'not_exists' }] }
const post = (by: Client, key: string, body: object = { ...SEGMENT, name: 'one' }, path = '/segments') =>
  by.post(path, body, { headers: { 'idempotency-key': key } })
const REPLAY = 'idempotent-replay'

test('a repeat gets the first answer and says so; another body, another address and another route are 422', async () => {
  const ws = await workspace()
  const first = expectStatus(await post(ws.admin, '"a-1"'), 201)
  assert.equal(first.headers.get(REPLAY), null)
  for (const key of ['"a-1"', 'a-1']) {
    const again = expectStatus(await post(ws.admin, key), 201)
    assert.deepEqual([again.text, again.headers.get(REPLAY)], [first.text, 'true'], 'quoted and bare are one key')
    assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
  }
  for (const [body, path] of [
    [{ ...SEGMENT, name: 'two' }, '/segments'],
    [{ ...SEGMENT, name: 'one' }, '/segments?x=1'],
    [{ key: 'one' }, '/blocks'],
  ] as const)
    assertRefusal(await post(ws.admin, 'a-1', body, path), 422)
  assert.equal(expectStatus(await ws.admin.get('/segments'), 200).data.segments.length, 1)
  expectStatus(await ws.admin.post('/segments', { ...SEGMENT, name: 'two' }), 201)
})

test('a key belongs to who sends it: another member and a write key have their own', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const [first, second] = [await post(ws.admin, 'k', { key: 'one' }, '/blocks'), await post(editor, 'k', { key: 'two' }, '/blocks')]
  assert.deepEqual([first.status, second.status, second.headers.get(REPLAY)], [201, 201, null])
  const pipeline = clientOf(`${url}/api/v1`, { 'x-cf-write-key': ws.writeKey })
  const register = () => post(pipeline, 'k', { key: 'three' }, '/cards/register')
  const made = expectStatus(await register(), 201)
  assert.equal(expectStatus(await register(), 201).text, made.text)
  const other = await workspace()
  assert.equal((await post(other.admin, 'k', { key: 'one' }, '/blocks')).headers.get(REPLAY), null)
})

test('a refusal is judged anew: its key stays free', async () => {
  const ws = await workspace()
  assertRefusal(await post(ws.admin, 'k', { ...SEGMENT, name: '' }), 400)
  expectStatus(await post(ws.admin, 'k'), 201)
  assertRefusal(await post(ws.admin, 'other', { ...SEGMENT, name: 'one' }), 409)
  const { segments } = expectStatus(await ws.admin.get('/segments'), 200).data
  expectStatus(await ws.admin.delete(`/segments/${segments[0].id}`), 200)
  assert.equal(expectStatus(await post(ws.admin, 'other', { ...SEGMENT, name: 'one' }), 201).headers.get(REPLAY), null)
})

test('while the first is running a repeat is 409 with a moment to wait', async () => {
  const ws = await workspace()
  const reached = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  ctx.faults.watch(async (point) => {
    if (point !== 'once.answer') return
    reached.resolve()
    await goesOn.promise
  })
  const first = post(ws.admin, 'k')
  await reached.promise
  const refused = await post(ws.admin, 'k')
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [409, 'IDEMPOTENCY_KEY_IN_USE', '1'])
  goesOn.resolve()
  ctx.faults.watch(() => {})
  const { text } = expectStatus(await first, 201)
  assert.equal((await post(ws.admin, 'k')).text, text)
})

test('a slow process whose request another one took over commits nothing', async () => {
  const ws = await workspace()
  const take = async () => sql`update idempotency_keys set token = ${randomUUID()}::uuid where workspace_id = ${ws.id}`.execute(ctx.db)
  const begun = Promise.withResolvers<void>()
  let isFirst = true
  ctx.faults.watch(async (point) => {
    if (point !== 'once.begun' || !isFirst) return
    isFirst = false
    await take()
    begun.resolve()
  })
  const refused = await post(ws.admin, 'k')
  ctx.faults.watch(() => {})
  await begun.promise
  assert.deepEqual([refused.status, refused.body.code], [409, 'IDEMPOTENCY_KEY_IN_USE'])
  assert.equal(expectStatus(await ws.admin.get('/segments'), 200).data.segments.length, 0)
  await advance(31)
  expectStatus(await post(ws.admin, 'k'), 201)
})

test('whoever may do less than then gets no kept answer, and a suspended workspace none at all', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const first = expectStatus(await post(editor, 'k'), 201)
  const { user } = expectStatus(await editor.get('/auth/me'), 200).data
  const be = async (role: string) => expectStatus(await ws.admin.put(`/members/${user.userId}`, { role }), 200)
  await be('admin')
  assert.equal((await post(editor, 'k')).text, first.text)
  expectStatus(await post(editor, 'as admin', {}, '/settings/write-keys'), 201)
  await be('editor')
  for (const [key, body, path] of [['as admin', {}, '/settings/write-keys']] as const)
    assert.equal((await post(editor, key, body, path)).body.code, 'ROLE_REQUIRED')
  await be('viewer')
  assert.equal((await post(editor, 'k')).body.code, 'ROLE_REQUIRED')
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/suspend`), 200)
  expectStatus(await post(ws.admin, 'l'), 403)
})

test('a service account whose own role or limits were narrowed gets no kept answer, one that was widened does', async () => {
  const ws = await workspace()
  const read = ['content:read', 'segments:read']
  const role = expectStatus(await ws.admin.post('/roles', { name: 'Segments', permissions: [...read, 'segments:write'] }), 201).data
  const put = async (permissions: string[], limits: object) =>
    expectStatus(await ws.admin.put(`/roles/${role.id}`, { name: 'Segments', permissions, limits }), 200)
  const { id } = expectStatus(await ws.admin.post('/service-accounts', { name: 'Pipeline', roleId: role.id }), 201).data
  const { token } = expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, {}), 201).data
  const program = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  const all = [...read, 'segments:write']
  await put(all, { blockKeys: ['a', 'b'] })
  const first = expectStatus(await post(program, 'k'), 201)
  await put([...all, 'people:read'], {})
  assert.equal((await post(program, 'k')).text, first.text)
  for (const [permissions, limits] of [
    [all, { blockKeys: ['a'] }],
    [['segments:read', 'segments:write'], {}],
  ] as const) {
    await put([...permissions], limits)
    assert.equal((await post(program, 'k')).body.code, 'ROLE_REQUIRED')
  }
})

test('a key is one text of 1 to 255 printable characters, and nothing else', async () => {
  const ws = await workspace()
  for (const key of ['', '""', 'x'.repeat(256), 'é', 'a\tb']) {
    const answer = await post(ws.admin, Buffer.from(key).toString('latin1'))
    assert.equal(answer.status, 400, JSON.stringify(key))
  }
  expectStatus(await post(ws.admin, 'x'.repeat(255)), 201)
  // It means nothing where nothing would be done twice.
  expectStatus(await ws.admin.get('/segments', { headers: { 'idempotency-key': '' } }), 200)
  expectStatus(await post(ws.admin, '', SEGMENT, '/segments/preview'), 200)
})

test('a workspace has a bounded number of keys at a time; after a day they are forgotten and may mean something else', async () => {
  const ws = await workspace()
  await sql`
    insert into idempotency_keys (workspace_id, caller, key_hash, route, request_hash, rights, token, lease_until, expires_at)
    select ${ws.id}, 'member:nobody', n::text, 'POST /', '', '{}', ${randomUUID()}::uuid, ${ctx.clock.now()}, ${new Date(ctx.clock.ms() + 3_600_000)}
    from generate_series(2, ${LIMITS.idempotencyKeys}) n`.execute(ctx.db)
  const first = expectStatus(await post(ws.admin, 'k'), 201)
  const refused = await post(ws.admin, 'l', { ...SEGMENT, name: 'two' })
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [429, 'IDEMPOTENCY_KEY_LIMIT', '60'])
  assert.equal((await post(ws.admin, 'k')).text, first.text)
  await advance(3_601)
  expectStatus(await post(ws.admin, 'l', { ...SEGMENT, name: 'two' }), 201)
  await advance(22 * 3_600 + 3_599)
  const left = await ctx.db.selectFrom('idempotency_keys').select('route').where('workspace_id', '=', ws.id).execute()
  assert.equal(left.length, 1, 'the first is of a day ago')
})

test('kept answers and results are sealed: a fresh key stands in no table as it is', async () => {
  const ws = await workspace()
  const { data } = expectStatus(await post(ws.admin, 'k', {}, '/settings/write-keys'), 201)
  const rows = await ctx.db.selectFrom('idempotency_keys').selectAll().where('workspace_id', '=', ws.id).execute()
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(data.key))
  assert.equal((await post(ws.admin, 'k', {}, '/settings/write-keys')).data.key, data.key)
})

test('pages of portal origins may send a key and read whether the answer is a repeat', async () => {
  const preflight = await fetch(`${url}/api/v1/segments`, {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': 'idempotency-key' },
  })
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bIdempotency-Key\b/)
  const ws = await workspace()
  const answer = await ws.admin.get('/segments', { headers: { origin: ORIGIN } })
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /\bIdempotent-Replay\b/)
})
