/** Deleting a workspace: at once it rests, it can be restored, and on its day everything of it goes, whatever cuts the work off. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { clientOf, expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { fillStores } from '../../../test/builders/every-store.ts'
import { uploadFile } from '../../../test/builders/files.ts'
import { identify } from '../../../test/builders/people.ts'
import { openTwins } from '../../../test/isolation/twins.ts'
import { dieAt } from '../../../test/harness/die-at.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables, listTables } from '../../../test/harness/tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'cf-endings-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const server = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_MEDIA_DIR: folder })
const { ctx, url, workspace, operator, advance, databaseEnv } = server
const { makeTwins } = openTwins(server)
const DAY = 86_400
const NAME = 'To be deleted'

const end = (ws: Workspace, name = NAME) => ws.admin.delete(`/workspaces/${ws.id}`, { body: { name } })
const restore = (ws: Workspace) => ws.admin.post(`/workspaces/${ws.id}/restore`, {})
const mine = async (ws: Workspace) => expectStatus(await ws.admin.get('/auth/me'), 200).data.workspaces.find(({ id }: any) => id === ws.id)
const receiptOf = async ({ id }: { id: string }) => operator.get(`/operator/workspace-endings/${id}`)

/** How many rows of a workspace the tables have that have some, but the receipts. */
async function rowsOf(workspaceId: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const table of await listTables(ctx.db)) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from ${sql.table(table)} t where to_jsonb(t) ->> 'workspace_id' = ${workspaceId}`.execute(ctx.db)
    const n = rows[0]?.n ?? 0
    if (n > 0 && table !== 'workspace_endings') found.set(table, n)
  }
  return found
}

test('an admin deletes a workspace by its name: it rests at once with its sandbox, and comes back as it was', async () => {
  const ws = await workspace({ name: NAME })
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data.workspaceId
  await ws.block('promo')
  const before = await hashTables(ctx.db, { workspaceId: ws.id, except: ['workspaces', 'keys', 'members'] })
  assert.equal((await end(ws, 'another name')).status, 400)
  const { endsAt } = expectStatus(await end(ws), 202).data
  assert.equal(Math.round((Date.parse(endsAt) - ctx.clock.ms()) / 86_400_000), 14)
  assert.deepEqual(expectStatus(await end(ws), 202).data, { endsAt }, 'asked again it is the same day')
  const { isSuspended, endsAt: told } = await mine(ws)
  assert.deepEqual([isSuspended, told], [true, endsAt])
  assert.equal((await ws.admin.post('/segments', {})).body.code, 'WORKSPACE_SUSPENDED')
  const headers = { 'x-tenant-id': sandbox }
  assert.equal((await ws.admin.put('/workspaces/current', { name: 'x' }, { headers })).body.code, 'WORKSPACE_SUSPENDED')
  assert.equal((await ws.app.get('/sync')).status, 401)
  expectStatus(await ws.admin.get('/blocks'), 200)
  const { deletedRows, finishedAt, sandboxId } = expectStatus(await receiptOf(ws), 200).data
  assert.deepEqual([deletedRows, finishedAt, sandboxId], [0, null, sandbox])
  // Whoever runs the server does not undo it by resuming it.
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/resume`), 200)
  assert.equal((await ws.app.get('/sync')).status, 401)
  expectStatus(await restore(ws), 200)
  expectStatus(await restore(ws), 200)
  assert.equal('endsAt' in (await mine(ws)), false)
  expectStatus(await ws.app.get('/sync'), 200)
  expectStatus(await ws.admin.put('/workspaces/current', { name: 'x' }, { headers }), 200)
  assert.equal((await receiptOf(ws)).status, 404)
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id, except: ['workspaces', 'keys', 'members'] }), before)
})

test('it takes an admin with a young session, of this workspace, which is nobody’s sandbox', async () => {
  const [ws, other] = [await workspace({ name: NAME }), await workspace({ name: NAME })]
  const asked = (by: Client, id: string) => by.delete(`/workspaces/${id}`, { body: { name: NAME } })
  assert.equal((await asked(await ws.editor(), ws.id)).body.code, 'ROLE_REQUIRED')
  assert.equal((await asked(ws.admin, other.id)).status, 404)
  assert.equal((await ws.admin.post(`/workspaces/${other.id}/restore`, {})).status, 404)
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const inside = await ws.admin.delete(`/workspaces/${sandbox.workspaceId}`, {
    body: { name: sandbox.name },
    headers: { 'x-tenant-id': sandbox.workspaceId },
  })
  assert.equal(inside.status, 409)
  await advance(601)
  const refused = await end(ws)
  assert.deepEqual([refused.status, refused.body.code], [403, 'REAUTHENTICATE'])
  assert.equal(await mine(ws).then(({ isSuspended }) => isSuspended), undefined)
  expectStatus(await operator.get('/operator/workspace-endings'), 200)
  assert.equal((await clientOf(`${url}/api/v1`).get('/operator/workspace-endings')).status, 401)
})

test('on its day everything of it goes, files and sandbox too, and nothing of another; a receipt stays', async () => {
  const { a, b } = await makeTwins()
  await identify(a.app, 'D', 'U')
  await fillStores(ctx, a, 'U', 'D')
  const sandbox = expectStatus(await a.admin.post('/settings/sandbox', {}), 201).data.workspaceId
  const file = await uploadFile(a.admin, 'bytes of A', 'of A', 'text/plain')
  const isStored = () => readdirSync(folder, { recursive: true }).some((name) => String(name).includes(file.contentId))
  assert.ok(isStored())
  const full = await rowsOf(a.id)
  assert.ok(full.size > 50, `${full.size}: ${[...full.keys()].join(' ')}`)
  const { name } = await mine(a)
  expectStatus(await end(a, name), 202)
  // A killed process holds its lease for 30 seconds.
  let seconds = 15 * DAY
  if (process.env['TEST_DATABASE_URL'])
    for (const point of ['endings: files', 'endings: devices', 'endings: webhook_endpoints'])
      await dieAt({ ...databaseEnv, CF_MEDIA_DIR: folder }, 'endings', point, (seconds += 60))
  ctx.clock.advance(seconds + 60)
  const rowsOfB = await hashTables(ctx.db, { workspaceId: b.id })
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'endings' }), 200)
  for (const id of [a.id, sandbox]) assert.deepEqual([...(await rowsOf(id))], [])
  const { rows } = await sql`select id from workspaces where id in (${a.id}, ${sandbox})`.execute(ctx.db)
  assert.deepEqual(rows, [])
  assert.ok(!isStored())
  assert.equal(await hashTables(ctx.db, { workspaceId: b.id }), rowsOfB)
  const receipt = expectStatus(await receiptOf(a), 200).data
  const least = [...full.values()].reduce((sum, n) => sum + n, 0)
  assert.ok(receipt.finishedAt !== null && receipt.deletedRows >= least && receipt.deletedFiles > 0, JSON.stringify({ receipt, least }))
})
