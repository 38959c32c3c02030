/**
 * What each route of the client roots has to prove, in one closed list: a route that is not here does not start.
 *
 * `user`: `named` where the body names a user; `erasure` where the installation is linked to one.
 * `device`: `write` is refused without its proof; `identify` besides gives out the token; `read` is answered as to an unknown
 * installation (by delivery itself, from memory); `header` is `write` for routes that take the installation from the header alone.
 */
export type RouteProof = { user: 'none' | 'named' | 'erasure'; device: 'none' | 'read' | 'write' | 'header' | 'identify' }

const NOTHING: RouteProof = { user: 'none', device: 'none' }
/** Names nobody: what it is about is whoever the installation is linked to. */
const OWN_DEVICE: RouteProof = { user: 'none', device: 'write' }
const NAMING: RouteProof = { user: 'named', device: 'write' }

export const CLIENT_ROUTES: ReadonlyMap<string, RouteProof> = new Map<string, RouteProof>([
  ['POST /identify', { user: 'named', device: 'identify' }],
  ['DELETE /identify', { user: 'erasure', device: 'header' }],
  ['POST /logout', OWN_DEVICE],
  ['POST /track-event', NAMING],
  ['POST /profile', NAMING],
  ['POST /consent', NAMING],
  ['POST /consent/full', NAMING],
  ['POST /register-push', NAMING],
  ['DELETE /register-push', OWN_DEVICE],
  ['PATCH /push/preferences', OWN_DEVICE],
  ['GET /push/topics', { user: 'none', device: 'header' }],
  ['POST /push/topics', OWN_DEVICE],
  ['DELETE /push/topics/:topic', OWN_DEVICE],
  ['POST /location', OWN_DEVICE],
  ['POST /events', OWN_DEVICE],
  ['GET /sync', { user: 'none', device: 'read' }],
  ['GET /blocks/:key', { user: 'none', device: 'read' }],
  ['POST /campaigns', { user: 'named', device: 'read' }],
  // The same for everybody; whose language is heard with it is asked for where it is written down.
  ['GET /strings', NOTHING],
  ['GET /locales', NOTHING],
  // Says that something changed, and nothing of it.
  ['GET /stream', NOTHING],
  // About nobody: texts of the law, and the caller's own address.
  ['GET /consent/config/:preset', NOTHING],
  ['GET /location/ip', NOTHING],
  // Of build pipelines, by their write keys.
  ['POST /cards/register', NOTHING],
  ['POST /cards/sync', NOTHING],
  ['GET /cards/sync', NOTHING],
  ['POST /strings/sync', NOTHING],
  ['GET /strings/sync', NOTHING],
  ['POST /strings/disable', NOTHING],
])

/** Whom a body names; undefined for nobody. What is no id of a user is left to the route. */
export function namedUser(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('userId' in body)) return undefined
  return typeof body.userId === 'string' && body.userId !== '' ? body.userId : undefined
}
