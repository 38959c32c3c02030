/** What roles that a workspace makes may call: each route of members against random sets of permissions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isPermission, PERMISSIONS, type Permission } from '@contentflow/core/access/permissions.ts'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Workspace } from '../builders/builders.ts'
import { identify } from '../builders/people.ts'
import { drawsFrom } from '../harness/draws.ts'
import { fillPath } from '../harness/routes.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'

const { ctx, url, workspace } = await startApp()
const API = `${url}/api/v1`
const RANDOM_ROLES = 12

/** Routes of members by the permission that they take, as it was agreed. */
const golden = JSON.parse(readFileSync(new URL('permissions-of-routes.json', import.meta.url), 'utf8')) as Record<string, string[]>
const routes = Object.entries(golden).flatMap(([permission, paths]) =>
  paths.map((route) => {
    const [method = '', path = ''] = route.split(' ')
    assert.ok(isPermission(permission), permission)
    return { method, path, permission }
  }),
)

/** Held by whatever calls: nothing of other modules is in an answer. */
const SECRETS = { name: 'Canary Person', email: 'canary.person@example.com', phone: '+966501112223' }

async function join(ws: Workspace, permissions: readonly Permission[]): Promise<Record<string, string>> {
  const role = expectStatus(await ws.admin.post('/roles', { name: uniqueEmail(), permissions }), 201).data.id
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', roleId: role }), 201)
  const { token } = expectStatus(await clientOf(API).post('/auth/login', { email, password: PASSWORD }), 200).data
  return { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
}

/** The same ones in every run: each permission with a chance of a third. */
function* drawRoles(): Generator<Permission[]> {
  const next = drawsFrom(20_261_128)
  for (let i = 0; i < RANDOM_ROLES; i++) yield PERMISSIONS.filter(() => next() < 1 / 3)
}

test('a route is refused exactly to roles without its permission, and what is refused changes nothing', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', SECRETS)
  for (const permissions of drawRoles()) {
    const headers = await join(ws, permissions)
    const held = new Set(permissions)
    const call = ({ method, path }: (typeof routes)[number]) =>
      request(method, API + fillPath(path, { userId: 'U', deviceId: 'D' }), { headers, ...(method !== 'GET' && { body: {} }) })
    const before = await hashTables(ctx.db, { workspaceId: ws.id })
    for (const route of routes.filter((each) => !held.has(each.permission))) {
      const { status, body } = await call(route)
      assert.deepEqual(
        [status, body.code, body.required],
        [403, 'ROLE_REQUIRED', { permission: route.permission }],
        `${route.method} ${route.path}`,
      )
    }
    assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before, permissions.join())
    for (const route of routes.filter((each) => held.has(each.permission) && each.method === 'GET')) {
      const { status, body, text } = await call(route)
      assert.ok(status !== 401 && body?.required?.permission !== route.permission, `${route.method} ${route.path} ${status}`)
      if (held.has('people:contacts')) continue
      for (const secret of Object.values(SECRETS)) assert.ok(!text.includes(secret), `${route.method} ${route.path}`)
    }
  }
})
