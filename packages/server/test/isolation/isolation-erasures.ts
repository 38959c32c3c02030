/** Erasures for the isolation suite: one that was carried out, and one that waits. */
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
