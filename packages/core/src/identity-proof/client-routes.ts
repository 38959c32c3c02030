/**
 * What a call of each client route has to prove. The list is closed: the server does not start with a client route that is not here.
 *
 * `user` says when the call needs a user token. `named`: when its body names a user. `erasure`: when its installation is linked to
 * a user.
 * `device` says what happens to a call without the proof of its installation. `write`: it is refused. `header`: the same, for routes
 * that take the id of the installation from the header alone. `identify`: the same, and the route also gives out the token. `read`:
 * delivery answers from memory, as it answers an installation that it does not know.
 */
export type RouteProof = { user: 'none' | 'named' | 'erasure'; device: 'none' | 'read' | 'write' | 'header' | 'identify' }

const NOTHING: RouteProof = { user: 'none', device: 'none' }
/** The call names no user: it is about the person its installation is linked to. */
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
  ['GET /inbox', { user: 'none', device: 'header' }],
  ['POST /inbox/read-all', OWN_DEVICE],
  ['POST /inbox/:id', OWN_DEVICE],
  ['GET /preferences', { user: 'none', device: 'header' }],
  ['PUT /preferences', OWN_DEVICE],
  // Everybody gets the same answer. The language of the installation is noted with it; the code that stores it asks for the proof.
  ['GET /strings', NOTHING],
  ['GET /locales', NOTHING],
  // A stream says that something changed, not what.
  ['GET /stream', NOTHING],
  // These are about no person: they answer the key of the workspace for push, texts of the law, and where the caller's own address is.
  ['GET /consent/config/:preset', NOTHING],
  ['GET /location/ip', NOTHING],
  ['GET /push/web-key', NOTHING],
  // Build pipelines call these with a write key.
  ['POST /cards/register', NOTHING],
  ['POST /cards/sync', NOTHING],
  ['GET /cards/sync', NOTHING],
  ['POST /strings/sync', NOTHING],
  ['GET /strings/sync', NOTHING],
  ['POST /strings/disable', NOTHING],
  ['PUT /event-types', NOTHING],
  ['GET /event-types', NOTHING],
])

/** The user that a body names; undefined when it names none. A `userId` of a wrong type is refused by the route itself. */
export function namedUser(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('userId' in body)) return undefined
  return typeof body.userId === 'string' && body.userId !== '' ? body.userId : undefined
}
