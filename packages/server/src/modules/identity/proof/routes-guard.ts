/** Checks the proofs of each call of the client roots, by `CLIENT_ROUTES`: after its body is read and before its handler runs. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CLIENT_ROUTES, namedUser, type RouteProof } from '@contentflow/core/identity-proof/client-routes.ts'
import { NO_PROOFS } from '@contentflow/core/identity-proof/modes.ts'
import type { Context } from '../../../context.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { callerOf } from '../../../http/callers/caller-address.ts'
import { headerDeviceId, sentDeviceId } from '../../../http/callers/device-id.ts'
import type { Admission, Proofs } from './proofs.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for an identify: what is to be done about the token of its installation. */
    admission: Admission | undefined
  }
}

/** To be called on the scope of a client root, before its routes are added. */
export function installProofGuard(scope: FastifyInstance, ctx: Context, proofs: Proofs): void {
  const needs = new Map<string, RouteProof>()
  scope.decorateRequest('admission')
  scope.addHook('onRoute', (route) => {
    for (const method of [route.method].flat().filter((each) => each !== 'OPTIONS')) {
      const name = `${method} ${route.url.slice(scope.prefix.length)}`
      const need = CLIENT_ROUTES.get(name)
      if (!need) throw new Error(`${name} is not in CLIENT_ROUTES: say what its calls have to prove`)
      needs.set(`${method} ${route.url}`, need)
    }
  })
  scope.addHook('preHandler', async (request) => {
    const { caller } = request
    if (caller?.kind !== 'app' || caller.proofs === NO_PROOFS) return
    const need = needs.get(`${request.method} ${request.routeOptions.url}`)
    if (!need) return
    request.admission = await proofs.admit({
      caller,
      need,
      named: need.user === 'named' ? namedUser(sentBody(request)) : undefined,
      deviceId: deviceOf(request, need),
      userToken: headerOf(request, 'x-cf-user-token'),
      deviceToken: headerOf(request, 'x-cf-device-token'),
      sdkVersion: request.headers['x-cf-sdk-version'],
      address: callerOf(request.raw, ctx.config.trustedProxies),
    })
  })
}

/** Undefined when the call names no installation, or names it in a way that the route refuses. */
function deviceOf(request: FastifyRequest, { user, device }: RouteProof): string | undefined {
  if (device === 'none' || (device === 'read' && user === 'none')) return undefined
  try {
    return device === 'header' ? headerDeviceId(request) : sentDeviceId(request)
  } catch {
    return undefined
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
