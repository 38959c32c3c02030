import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maskContacts } from '@contentflow/core/access/mask-contacts.ts'

/** Modules whose answers tell of people, or may. Others hold addresses of members and of the workspace itself. */
const OF_PEOPLE = /^(analytics|campaigns|content|imports|journeys|messages|people|segments|webhooks):/

/** Masks contacts of people in every answer to a member without `people:contacts`, so that no route can forget it. */
export function installMasking(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => (isMasked(request) ? maskContacts(payload) : payload))
  // Files for spreadsheets are texts already, which are not serialized.
  app.addHook('onSend', async (request, reply, payload) =>
    typeof payload === 'string' && /^text\/csv\b/.test(String(reply.getHeader('content-type'))) && isMasked(request)
      ? maskContacts(payload)
      : payload,
  )
}

function isMasked({ caller, routeOptions }: FastifyRequest): boolean {
  if (caller?.kind !== 'member' || caller.grant.permissions.has('people:contacts')) return false
  return OF_PEOPLE.test(routeOptions.config.permission ?? '')
}
