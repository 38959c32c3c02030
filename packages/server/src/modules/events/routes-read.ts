import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { EnvironmentAsked, Nullable, Page, PageQuery, queryOf, Type, type Static, timeThat, Shaped } from '../../http/schema.ts'
import { DeviceParams, UserParams } from '../../http/path-ids.ts'
import { findDevice, findOwnEnvironment, findPerson } from '../people/index.ts'
import { idOf, listIdsOf, pageEvents, type EventOwner, type StoredEvent } from './queries-read.ts'

const text = Nullable(Type.String())
export const EventSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  at: timeThat('When it arrived'),
  occurredAt: Nullable(timeThat("The device's own time, when it said one that can be")),
  deviceId: Type.String(),
  blockKey: text,
  instanceId: text,
  campaignId: text,
  screen: text,
  stringKey: text,
  fenceId: text,
  sessionId: text,
  platform: text,
  value: Nullable(Type.Number()),
  currency: text,
  properties: Nullable(Shaped<JsonObject>(Type.Object({}, { additionalProperties: true }))),
})
const EventsPage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    events: Type.Array(EventSchema),
    since: timeThat('Older events are kept, but not looked for here'),
  }),
  metadata: Page('events', EventSchema).properties.metadata,
})
const EventsQuery = Type.Object({ ...PageQuery.properties, environment: EnvironmentAsked })

/** How far back events are looked for. */
const DAYS = LIMITS.recentDays

/** What people and devices did lately, for members. */
export function eventReadRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('People')
  app.get(
    '/users/:userId/events',
    route({
      id: 'listEventsOfPerson',
      auth: 'member',
      summary: `What a person did in the last ${DAYS} days, newest first`,
      params: UserParams,
      query: EventsQuery,
      out: EventsPage,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params
      const query = queryOf(request)
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = query
      const person = (await findPerson(ctx.db, workspaceId, environment, userId)) ?? failWith(404, 'person not found')
      const profileIds = await listIdsOf(ctx.db, workspaceId, person.id)
      return answer(ctx, { workspaceId, environment, profileIds }, query)
    },
  )
  app.get(
    '/devices/:deviceId/events',
    route({
      id: 'listEventsOfDevice',
      auth: 'member',
      summary: `What happened on a device in the last ${DAYS} days, newest first`,
      params: DeviceParams,
      query: EventsQuery,
      out: EventsPage,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { deviceId } = request.params
      const query = queryOf(request)
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = query
      const device = await findDevice(ctx.db, workspaceId, deviceId)
      if (device?.environment !== environment) failWith(404, 'device not found')
      return answer(ctx, { workspaceId, environment, deviceId }, query)
    },
  )
}

async function answer(ctx: Context, source: EventOwner, { limit, cursor }: Static<typeof EventsQuery>) {
  const since = new Date(ctx.clock.ms() - DAYS * DAY_MS)
  const { items, next, total } = await pageEvents(ctx.db, source, { since, before: cursor, limit })
  return ok({ events: items.map(presentEvent), since }, { total, nextCursor: next })
}

function presentEvent({ place, at, ...event }: StoredEvent) {
  return { id: idOf({ place, at }), at, ...event }
}
