/** What the log says of a setting: digests of it before and after, and what of it changed, by name. The routes come from the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { listRoutes } from '../../../test/harness/routes.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { BODIES, type Twins } from '../../../test/isolation/isolation-bodies.ts'

const { app, workspace } = await startApp()

type Entry = { action: string; object?: { kind: string; id: string }; before?: string; after?: string; members?: string[] }
const newestOf = async (ws: Workspace, object: string): Promise<Entry> => {
  const { entries } = expectStatus(await ws.admin.get(`/audit?limit=1&object=${object}`), 200).data
  return entries[0] ?? assert.fail(object)
}

test('each setting that is saved leaves its state before and after as digests', async () => {
  const ws = await workspace()
  const paths = listRoutes(app).flatMap(({ method, path }) =>
    method === 'PUT' && /^\/api\/v1\/settings\/[a-z-]+$/.test(path) ? path.slice('/api/v1'.length) : [],
  )
  assert.ok(paths.length > 15, String(paths.length))
  const unsaid: string[] = []
  for (const path of paths) {
    const name = path.slice('/settings/'.length)
    const body = BODIES[`PUT ${path}`]?.({ a: ws } as Twins) ?? assert.fail(path)
    expectStatus(await ws.admin.put(path, body), 200)
    const { before, after } = await newestOf(ws, `setting:${name}`)
    // Of what was never set there is nothing before.
    if (after === undefined && before === undefined) unsaid.push(path)
    expectStatus(await ws.admin.put(path, body), 200)
    const again = await newestOf(ws, `setting:${name}`)
    if (again.before !== after || again.after !== after) unsaid.push(`${path}: saved again`)
  }
  assert.deepEqual(unsaid, [])
})

test('the members of a setting that changed are named, never their values', async () => {
  const ws = await workspace()
  const members = async (path: string, body: object, object: string) => {
    expectStatus(await ws.admin.put(path, body), 200)
    return (await newestOf(ws, object)).members
  }
  expectStatus(await ws.admin.put('/settings/features', { features: { contentSync: true, strings: true } }).then((answer) => answer), 200)
  assert.deepEqual(await members('/settings/features', { features: { contentSync: false } }, 'setting:features'), ['contentSync'])
  assert.deepEqual(await members('/settings/publishing', { approval: true }, 'setting:publishing'), ['approval'])
  assert.deepEqual(await members('/settings/launch-protection', { mode: 'admin' }, 'setting:launch-protection'), ['mode'])
  assert.deepEqual(await members('/settings/event-retention', { days: 30 }, 'setting:event-retention'), ['days'])
  assert.deepEqual(await members('/settings/sign-in', { sessionIdleMinutes: 30 }, 'setting:sign-in'), ['sessionIdleMinutes'])
})

test('a language that is added or removed, and the source language, leave digests', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'fr' }), 201)
  const made = await newestOf(ws, 'locale:fr')
  expectStatus(await ws.admin.delete('/locales/fr'), 200)
  const gone = await newestOf(ws, 'locale:fr')
  assert.deepEqual([made.before, gone.before, gone.after], [undefined, made.after, undefined])
  expectStatus(await ws.admin.put('/settings/source-locale', { code: 'de' }), 200)
  const { before, after, members } = await newestOf(ws, 'setting:source-locale')
  assert.ok(before && after && before !== after)
  assert.deepEqual(members, ['code'])
})

test('roles and programs leave digests of what they may', async () => {
  const ws = await workspace()
  const { id } = expectStatus(await ws.admin.post('/roles', { name: 'Translator', permissions: ['strings:read'] }), 201).data
  const made = await newestOf(ws, `role:${id}`)
  expectStatus(await ws.admin.put(`/roles/${id}`, { name: 'Translator', permissions: ['strings:read', 'strings:write'] }), 200)
  const changed = await newestOf(ws, `role:${id}`)
  assert.deepEqual([changed.before, changed.members], [made.after, ['permissions']])
  const service = expectStatus(await ws.admin.post('/service-accounts', { name: 'Build', roleId: id }), 201).data.id
  expectStatus(await ws.admin.put(`/service-accounts/${service}`, { role: 'viewer' }), 200)
  assert.deepEqual((await newestOf(ws, `service-account:${service}`)).members, ['roleId'])
})
