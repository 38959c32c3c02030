/** What two workspaces have of the same name, and what only the second one has. */
import { randomUUID } from 'node:crypto'
import type { Context } from '../../src/context.ts'
import { expectStatus, type Workspace } from './builders.ts'
import { storeInboxMessage } from './inbox.ts'

/** Messages in an inbox, topics, and providers of sign-ins; `text` stands in those of `b`. */
export async function storeTwinThings(ctx: Context, { a, b, text }: { a: Workspace; b: Workspace; text: string }): Promise<void> {
  for (const ws of [a, b]) {
    await storeInboxMessage(ctx, ws.id, 'the-same-message')
    const names = { en: ws === b ? text : 'of A' }
    expectStatus(await ws.admin.post('/message-topics', { id: 'the-same-topic', names, channels: ['email'] }), 201)
    await saveProvider(ws, 'the-same-provider', names.en)
  }
  await storeInboxMessage(ctx, b.id, 'only-b-message')
  expectStatus(await b.admin.post('/message-topics', { id: 'only-b-topic', names: { en: text }, channels: ['email'] }), 201)
  await saveProvider(b, 'only-b-provider', text)
}

/** Off, so that no sign-in page shows it. */
async function saveProvider({ admin }: Workspace, id: string, text: string): Promise<void> {
  const provider = { name: text, issuer: 'https://login.example', clientId: text, isOn: false }
  expectStatus(await admin.put(`/settings/identity-providers/${id}`, provider), 200)
}

/** A role of a workspace, and a service account with a token. */
export async function makeAccess({ admin }: Workspace, text: string): Promise<{ role: string; id: string; tokenId: string }> {
  const role = expectStatus(await admin.post('/roles', { name: text, permissions: ['strings:read'], limits: { locales: [text] } }), 201)
    .data.id
  const { id } = expectStatus(await admin.post('/service-accounts', { name: text, role: 'viewer' }), 201).data
  return { role, id, tokenId: expectStatus(await admin.post(`/service-accounts/${id}/tokens`, {}), 201).data.id }
}

/** Parameters of a path about them, which lead to new ones. */
export async function accessFor(ws: Workspace, path: string): Promise<Record<string, string>> {
  const { role, id, tokenId } = await makeAccess(ws, randomUUID())
  return path.includes('/roles/') ? { id: role } : { id, tokenId }
}
