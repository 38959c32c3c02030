/** Whatever is sent under /scim/v2 is answered in the form of SCIM, never as a server error. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, request, type Answer } from '../../../test/builders/builders.ts'
import { scimOf, tokenFor } from '../../../test/builders/sign-in/provisioned-workspace.ts'
import { assertNoInside } from '../../../test/harness/refusals.ts'
import { fillPath, listRoutes } from '../../../test/harness/routes.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { app, ctx, url, workspace, operator } = await startApp()
const routes = listRoutes(app).filter(({ path, method }) => path.startsWith('/scim/v2/') && method !== 'HEAD')

function assertScimRefusal({ status, body, headers, text }: Answer, what: string): void {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${text}`)
  assert.deepEqual(body?.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'], `${what}: ${text}`)
  assert.deepEqual([body.status, typeof body.detail], [String(status), 'string'], what)
  assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/, what)
  assertNoInside(text, what)
}

const open = async () => {
  const ws = await workspace()
  const token = await tokenFor(ws)
  return { ws, token, scim: scimOf(url, token) }
}

const BODIES: (string | Buffer)[] = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '5',
  '{"userName":"a\\u0000"}',
  '{"userName":"\\ud800"}',
  '{"userName":1e400}',
  '{"userName":"a","userName":"b"}',
  '{"__proto__":{"userName":"a"}}',
  '{"userName":{},"displayName":[],"members":5,"emails":"x","name":[],"active":{}}',
  '{"Operations":{}}',
  '{"Operations":[null]}',
  '{"Operations":[{"op":"add","path":"members[value eq","value":1}]}',
  Buffer.from([0x7b, 0xff, 0x7d]),
  `${'['.repeat(70)}${']'.repeat(70)}`,
]
const PARAMS = ['x', '__proto__', 'a b', "' or 1=1 --", '\u0000', '%00', '😀', 'x'.repeat(4_000)]
const QUERIES = [
  'count=x',
  'filter=x',
  'filter=%00',
  'startIndex=&count=',
  'count=1&count=2',
  'attributes=%00',
  'filter[a]=b',
  'count=1e400',
]

test('odd bodies, ids and queries to every route are refusals of SCIM, and change no row', async () => {
  const { ws, token } = await open()
  assert.ok(routes.length >= 15)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  for (const { method, path } of routes) {
    for (const id of PARAMS) {
      const address = url + fillPath(path, { id })
      for (const raw of method === 'GET' || method === 'DELETE' ? [undefined] : BODIES) {
        const answer = await request(method, address, { headers, ...(raw !== undefined && { raw }) })
        if (method === 'GET' && answer.status === 200) continue
        assertScimRefusal(answer, `${method} ${path} ${id.slice(0, 20)} ${String(raw).slice(0, 40)}`)
      }
      if (!path.includes(':')) break
    }
    if (method !== 'GET') continue
    for (const query of QUERIES) {
      const answer = await request('GET', `${url}${fillPath(path, { id: 'x' })}?${query}`, { headers })
      if (answer.status !== 200) assertScimRefusal(answer, `${path}?${query}`)
    }
  }
  const without = (text: string) => text.split('\n').filter((line) => !/^(api_tokens|audit_\w+) /.test(line))
  assert.deepEqual(without(await hashTables(ctx.db, { workspaceId: ws.id })), without(before))
})

test('nobody without a token learns which routes there are; with one, unknown routes and methods are refused as such', async () => {
  const { scim } = await open()
  for (const { method, path } of routes) {
    const answer = await request(method, url + fillPath(path, { id: 'x' }), {})
    assert.equal(answer.status, 401)
    assertScimRefusal(answer, `${method} ${path}`)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }
  const stranger = await request('GET', `${url}/scim/v2/nothing`)
  assert.equal(stranger.status, 401)
  const unknown = await scim.get('/nothing')
  assertScimRefusal(unknown, 'unknown')
  assert.equal(unknown.status, 404)
  const bulk = await scim.post('/Bulk', {})
  assert.equal(bulk.status, 404)
  const method = await scim.delete('/Users')
  assertScimRefusal(method, 'method')
  assert.deepEqual([method.status, method.headers.get('allow')], [405, 'GET, POST'])
})

test('three megabytes are refused, and a group of thousands is taken', async () => {
  const { scim } = await open()
  const large = await scim.post('/Users', undefined, { raw: `{"userName":"${'x'.repeat(3_000_000)}"}` })
  assert.equal(large.status, 413)
  assertScimRefusal(large, 'large')
  const members = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ value: `00000000-0000-0000-0000-${String(i).padStart(12, '0')}` }))
  const group = expectStatus(await scim.post('/Groups', { displayName: 'G', members: members(LIMITS.scimUsers) }), 201).body
  assert.deepEqual(group.members, [])
  assert.deepEqual((await scim.post('/Groups', { displayName: 'H', members: members(LIMITS.scimUsers + 1) })).body.scimType, 'invalidValue')
})

test('numbers of a list mean the nearest that there is', async () => {
  const { scim } = await open()
  for (const userName of ['a', 'b', 'c']) expectStatus(await scim.post('/Users', { userName }), 201)
  const list = async (query: string) => {
    const { body } = expectStatus(await scim.get(`/Users?${query}`), 200)
    return [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources.map((each: any) => each.userName).join('')]
  }
  assert.deepEqual(await list(''), [3, 1, 3, 'abc'])
  assert.deepEqual(await list('count=999999999999'), [3, 1, 3, 'abc'])
  assert.deepEqual(await list('count=0'), [3, 1, 0, ''])
  assert.deepEqual(await list('count=-5'), [3, 1, 0, ''])
  assert.deepEqual(await list('startIndex=-5&count=1'), [3, 1, 1, 'a'])
  assert.deepEqual(await list('startIndex=2&count=1'), [3, 2, 1, 'b'])
  assert.deepEqual(await list('startIndex=1e300'), [3, Number.MAX_SAFE_INTEGER, 0, ''])
  assert.deepEqual(await list(`filter=${encodeURIComponent('userName eq "B"')}&startIndex=1`), [1, 1, 1, 'b'])
  const named = expectStatus(await scim.get('/Users?attributes=userName&count=1'), 200).body.Resources[0]
  assert.deepEqual(Object.keys(named).sort(), ['id', 'schemas', 'userName'])
  assert.equal((await scim.get(`/Users?filter=${encodeURIComponent('userName co "b"')}`)).body.scimType, 'invalidFilter')
})

test('there is room for so many users and groups, and no more', async () => {
  const { ws, scim } = await open()
  const fill = async (table: 'scim_users' | 'scim_groups', count: number, columns: string, values: string) =>
    sql`insert into ${sql.table(table)} (workspace_id, id, version, created_at, updated_at, ${sql.raw(columns)})
      select ${ws.id}, 'x' || n, 1, now(), now(), ${sql.raw(values)} from generate_series(1, ${sql.lit(count)}) n`.execute(ctx.db)
  await fill(
    'scim_users',
    LIMITS.scimUsers,
    'user_name_folded, active, resource',
    `'n' || n, true, jsonb_build_object('userName', 'n' || n)`,
  )
  await fill('scim_groups', LIMITS.scimGroups, 'display_name, name_folded', `'n' || n, 'n' || n`)
  for (const [path, body] of [
    ['/Users', { userName: 'one-more' }],
    ['/Groups', { displayName: 'one-more' }],
  ] as const) {
    const answer = await scim.post(path, body)
    assert.equal(answer.status, 403)
    assertScimRefusal(answer, path)
  }
  const page = expectStatus(await scim.get('/Users?startIndex=1901'), 200).body
  assert.deepEqual([page.totalResults, page.itemsPerPage], [2_000, 100])
  const everybody = Array.from({ length: LIMITS.scimUsers }, (_, i) => ({ value: `x${i + 1}` }))
  const Operations = [{ op: 'Add', path: 'members', value: everybody }]
  expectStatus(await scim.patch('/Groups/x1', { Operations }), 204)
  assert.equal(expectStatus(await scim.get('/Groups/x1'), 200).body.members.length, LIMITS.scimUsers)
  assert.equal(expectStatus(await scim.get('/Groups?count=200&excludedAttributes=members'), 200).body.Resources[0].members, undefined)
})

test('a suspended workspace is read and not written, in the words of SCIM', async () => {
  const { ws, scim, token } = await open()
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/suspend`), 200)
  expectStatus(await scim.get('/Users'), 200)
  for (const { method, path } of routes.filter((route) => route.method !== 'GET')) {
    const answer = await request(method, url + fillPath(path, { id: 'x' }), {
      headers: { authorization: `Bearer ${token}` },
      ...(method !== 'DELETE' && { body: {} }),
    })
    assert.equal(answer.status, 403, `${method} ${path}`)
    assertScimRefusal(answer, `${method} ${path}`)
  }
})

test('what each write did stands in the audit log, by the token that did it', async () => {
  const { ws, scim } = await open()
  const user = expectStatus(await scim.post('/Users', { userName: 'secret.name@acme.example' }), 201).body
  const path = `/Users/${user.id}`
  expectStatus(await scim.patch(path, { Operations: [{ op: 'replace', path: 'active', value: false }] }), 200)
  expectStatus(await scim.delete(path), 204)
  const { entries } = expectStatus(await ws.admin.get('/audit?object=scim-user'), 200).data
  assert.deepEqual(
    entries.map((each: any) => [each.action, each.actor.kind, each.object.id === user.id]),
    [
      ['deleteScimUser', 'service', true],
      ['changeScimUser', 'service', true],
      ['createScimUser', 'service', true],
    ],
  )
  assert.doesNotMatch(JSON.stringify(entries), /secret\.name/)
})
