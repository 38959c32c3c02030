/** Which documented role may call which route of members: written down once before permissions were, so that they moved nothing. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Workspace } from '../builders/builders.ts'
import { fillPath, listRoutes, type Route } from '../harness/routes.ts'
import { startApp } from '../harness/start-app.ts'

const { app, url, workspace } = await startApp()
const API = '/api/v1'

type Needed = 'any' | 'editor' | 'admin' | 'approver'
/** Routes by the least role that may call them; `approver`: approval rights, whatever the role. */
const golden = JSON.parse(readFileSync(new URL('roles-of-routes.json', import.meta.url), 'utf8')) as Record<Needed, string[]>
const needed = new Map(Object.entries(golden).flatMap(([role, routes]) => routes.map((route) => [route, role as Needed] as const)))

/** Routes that ask for a workspace. */
async function listMemberRoutes({ authorization }: Record<string, string>): Promise<Route[]> {
  const found: Route[] = []
  for (const route of listRoutes(app)) {
    if (!route.path.startsWith(`${API}/`) || route.method === 'HEAD' || isSpent(route)) continue
    const { body } = await request(route.method, url + fillPath(route.path, {}), { headers: { authorization: authorization ?? '' } })
    if (body?.error === 'X-Tenant-Id header is missing') found.push(route)
  }
  return found
}

/** Sign-outs would end the session that asks. */
const isSpent = ({ path }: Route) => path.startsWith(`${API}/auth/`)

const MEMBERS = [
  { role: 'viewer', canApprove: false },
  { role: 'viewer', canApprove: true },
  { role: 'editor', canApprove: false },
  { role: 'editor', canApprove: true },
  { role: 'admin', canApprove: true },
] as const
type Member = (typeof MEMBERS)[number]
const RANK = { viewer: 0, any: 0, editor: 1, admin: 2 } as const

const may = ({ role, canApprove }: Member, needs: Needed) => (needs === 'approver' ? canApprove : RANK[role] >= RANK[needs])

async function join(ws: Workspace, member: Member): Promise<Record<string, string>> {
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, ...member }), 201)
  const { token } = expectStatus(await clientOf(url + API).post('/auth/login', { email, password: PASSWORD }), 200).data
  return { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
}

test('every route of members is for the documented roles that it was for, with and without approval rights', async () => {
  const ws = await workspace()
  const routes = await listMemberRoutes(await join(ws, MEMBERS[0]))
  assert.deepEqual(routes.map(({ method, path }) => `${method} ${path.slice(API.length)}`).sort(), [...needed.keys()].sort())
  for (const member of MEMBERS) {
    const headers = await join(ws, member)
    const wrong: string[] = []
    for (const { method, path } of routes) {
      const route = `${method} ${path.slice(API.length)}`
      const { status, body } = await request(method, url + fillPath(path, {}), { headers, ...(method !== 'GET' && { body: {} }) })
      const isRefused = status === 403 && body?.code === 'ROLE_REQUIRED'
      if (isRefused === may(member, needed.get(route) ?? 'admin')) wrong.push(`${route}: ${status} ${JSON.stringify(body).slice(0, 80)}`)
    }
    assert.deepEqual(wrong, [], JSON.stringify(member))
  }
})
