import type { FastifyInstance } from 'fastify'
import { maskContacts } from '@contentflow/core/access/mask-contacts.ts'

/** Modules whose answers tell of people, or may. Others hold addresses of members and of the workspace itself. */
const OF_PEOPLE = /^(analytics|campaigns|content|imports|journeys|messages|people|segments):/

/** Masks contacts of people in every answer to a member without `people:contacts`, so that no route can forget it. */
export function installMasking(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { caller } = request
    if (caller?.kind !== 'member' || caller.grant.permissions.has('people:contacts')) return payload
    return OF_PEOPLE.test(request.routeOptions.config.permission ?? '') ? maskContacts(payload) : payload
  })
}
