/** What people ask for, for the isolation suite: an erasure that was carried out, one that waits, a request, and a file. */
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { identify } from '../builders/people.ts'

const protect = ({ admin }: Workspace, confirmErasures: boolean) =>
  admin.put('/settings/protections', { protections: { confirmErasures } }).then((answer) => expectStatus(answer, 200))

/** The receipt of an erasure. */
export async function eraseSomebody(ws: Workspace): Promise<string> {
  await protect(ws, false)
  await identify(ws.app, 'gone', 'only-here')
  return expectStatus(await ws.app.delete('/identify', { headers: { 'x-cf-device': 'gone' } }), 200).data.erasureId
}

/** An erasure that waits for somebody to confirm it. */
export async function askToErase(ws: Workspace): Promise<string> {
  await protect(ws, true)
  await identify(ws.app, 'asks', 'asked-about')
  const answer = expectStatus(await ws.app.delete('/identify', { headers: { 'x-cf-device': 'asks' } }), 202)
  await protect(ws, false)
  return answer.data.requestId
}

/** A request of somebody about their data. */
export async function recordOfSomebody({ admin }: Workspace, note: string): Promise<string> {
  return expectStatus(await admin.post('/subject-requests', { kind: 'access', law: 'gdpr', userId: 'asks-for-it', note }), 201).data.id
}

/** The receipt of the file of somebody. */
export async function exportSomebody(ws: Workspace): Promise<string> {
  await identify(ws.app, 'exported', 'exported-here')
  expectStatus(await ws.admin.post('/users/exported-here/export', {}), 200)
  return expectStatus(await ws.admin.get('/person-exports'), 200).data.exports[0].id
}

/** Parameters of routes about what somebody asked for, made anew. */
export async function askedIn(ws: Workspace, path: string): Promise<Record<string, string>> {
  if (path.includes('/erasure-requests/')) return { id: await askToErase(ws) }
  if (path.includes('/erasures/')) return { id: await eraseSomebody(ws) }
  if (path.includes('/subject-requests/')) return { id: await recordOfSomebody(ws, 'of A') }
  if (path.includes('/person-exports/')) return { id: await exportSomebody(ws) }
  return {}
}
