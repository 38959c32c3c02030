/** An endpoint is told of each entry of the audit log, and of what is signed: whoever keeps it needs nothing of this server to check it. */
import assert from 'node:assert/strict'
import { createPublicKey, hash, verify } from 'node:crypto'
import { after, test } from 'node:test'
import { ExportVerifier, type AuditCrypto } from '@contentflow/core/audit/verify-export.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { openReceiver, type Receiver } from '../../../test/builders/receivers.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, url, workspace, operator, advance } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const receivers: Receiver[] = []
after(() => Promise.all(receivers.map((receiver) => receiver.close())))
const receiver = async () => {
  const opened = await openReceiver()
  receivers.push(opened)
  return opened
}
const look = async () => {
  for (const job of ['audit', 'webhooks']) expectStatus(await operator.post('/test-hooks/jobs', { job }), 200)
}
const rename = async (ws: Workspace, times: number) => {
  for (let time = 0; time < times; time++) expectStatus(await ws.admin.put('/workspaces/current', { name: `N${time}` }), 200)
}
const crypto: AuditCrypto = {
  sha256: (text, prev) => hash('sha256', Buffer.concat([Buffer.from(prev ?? '', 'hex'), Buffer.from(text)]), 'hex'),
  verify: ({ text, publicKey, signature }) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
}
const linesOf = (to: Receiver): object[] =>
  to.received.flatMap(({ event }) => (event.event === 'audit.entries' ? event.data.entries : [])) as object[]
const hook = (to: Receiver, events: string[]) => ({ url: to.url, events })

test('entries arrive in their order without a gap, and what is signed with them; the file of both can be checked', async () => {
  const [ws, to] = [await workspace(), await receiver()]
  expectStatus(await ws.admin.post('/webhooks', hook(to, ['audit.entries', 'audit.checkpoint'])), 201)
  await rename(ws, 3)
  await look()
  await to.waitFor(1)
  await rename(ws, 230)
  await look()
  await to.waitFor(4)
  // Nothing is told twice.
  await look()
  await advance(3_700)
  await look()
  await to.waitFor(5)
  const end = to.received.find(({ event }) => event.event === 'audit.checkpoint')?.event.data
  const { actor, ...signed } = end
  assert.deepEqual(actor, { userId: 'system' })
  const verifier = new ExportVerifier(crypto)
  for (const line of [...linesOf(to), signed]) assert.ok(verifier.take(JSON.stringify(line)))
  const verdict = verifier.finish()
  const { seq } = await ctx.db.selectFrom('audit_heads').select('seq').where('workspace_id', '=', ws.id).executeTakeFirstOrThrow()
  assert.deepEqual([verdict.fault, verdict.first, verdict.last, verdict.checked], [null, 1, seq, seq])
})

test('an endpoint that was off is told of what was written meanwhile', async () => {
  const [ws, to] = [await workspace(), await receiver()]
  const { id } = expectStatus(await ws.admin.post('/webhooks', hook(to, ['audit.entries'])), 201).data
  await look()
  await to.waitFor(1)
  expectStatus(await ws.admin.put(`/webhooks/${id}`, { active: false }), 200)
  await rename(ws, 2)
  await look()
  expectStatus(await ws.admin.put(`/webhooks/${id}`, { active: true }), 200)
  await look()
  await to.waitFor(2)
  const numbers = linesOf(to).map((line) => (line as { entry: { seq: number } }).entry.seq)
  assert.deepEqual(
    numbers,
    [...numbers.keys()].map((index) => index + (numbers[0] ?? 0)),
  )
  assert.equal(numbers.at(-1), (await ws.admin.get('/audit?limit=1')).data.entries[0].seq)
})

test('whoever may not read the log lets nobody be told of it, leads it nowhere else, and reads no delivery of it', async () => {
  const [ws, to, elsewhere] = [await workspace(), await receiver(), await receiver()]
  const by = await withPermissions(ws, ['webhooks:read', 'webhooks:manage'])
  const refused = async (answer: ReturnType<Client['get']>) => {
    const { status, body } = await answer
    assert.deepEqual([status, body.code, body.required], [403, 'ROLE_REQUIRED', { permission: 'audit:read' }])
  }
  await refused(by.post('/webhooks', hook(to, ['audit.entries'])))
  const own = expectStatus(await by.post('/webhooks', hook(to, ['campaign.approved'])), 201).data.id
  await refused(by.put(`/webhooks/${own}`, { events: ['audit.checkpoint'] }))
  const { id } = expectStatus(await ws.admin.post('/webhooks', hook(to, ['audit.entries'])), 201).data
  await refused(by.put(`/webhooks/${id}`, { url: elsewhere.url }))
  await look()
  await to.waitFor(1)
  const { deliveries } = expectStatus(await by.get(`/webhooks/${id}/deliveries`), 200).data
  await refused(by.get(`/webhooks/${id}/deliveries/${deliveries[0].id}`))
  expectStatus(await ws.admin.get(`/webhooks/${id}/deliveries/${deliveries[0].id}`), 200)
  expectStatus(await by.delete(`/webhooks/${id}`), 200)
  assert.equal(elsewhere.received.length, 0)
})

async function withPermissions(ws: Workspace, permissions: string[]): Promise<Client> {
  const api = `${url}/api/v1`
  const roleId = expectStatus(await ws.admin.post('/roles', { name: uniqueEmail(), permissions }), 201).data.id
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', roleId }), 201)
  const { token } = expectStatus(await clientOf(api).post('/auth/login', { email, password: PASSWORD }), 200).data
  return clientOf(api, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
}
