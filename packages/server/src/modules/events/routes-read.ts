import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import {
  EnvironmentAsked,
  Nullable,
  Ok,
  Page,
  PageQuery,
  queryOf,
  TimeParam,
  timeOf,
  Type,
  type Static,
  timeThat,
  Shaped,
} from '../../http/schema.ts'
import { DeviceParams, UserParams } from '../../http/path-ids.ts'
import { findDevice, findOwnEnvironment, findPerson } from '../people/index.ts'
import { idOf, listIdsOf, listNewest, pageEvents, type EventOwner, type StoredEvent } from './queries-read.ts'

const text = Nullable(Type.String())
export const EventSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  at: timeThat('When it arrived'),
  occurredAt: Nullable(timeThat("The device's own time, when it said one that can be")),
  deviceId: Nullable(Type.String({ description: 'null: the server itself tells of it, as of a mail that was opened' })),
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
/** How far back a member may look at what one person did. */
const MOST_DAYS = LIMITS.eventWindowDays
const PersonEventsQuery = Type.Object({
  ...EventsQuery.properties,
  type: Type.Optional(Type.String({ maxLength: LIMITS.eventNameLength, description: 'Only of this type' })),
  from: TimeParam(`ISO 8601; at most ${MOST_DAYS} days ago. ${LIMITS.recentDays} days ago when left out`),
})

const NewestQuery = Type.Object({
  type: Type.Optional(Type.String({ maxLength: LIMITS.eventNameLength, description: 'Only of this type' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many' }),
  environment: EnvironmentAsked,
})
/** How far back the newest events of a workspace are looked for. */
const NEWEST_HOURS = 24

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
      permission: 'people:read',
      summary: `What a person did in the last ${DAYS} days, newest first; with \`from\` up to ${LIMITS.eventWindowDays}`,
      description:
        'Lists what this person did on all their devices. `since` says how far back was looked; events that are older are kept all the same.',
      params: UserParams,
      query: PersonEventsQuery,
      out: EventsPage,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params
      const query = queryOf(request)
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = query
      const person = (await findPerson(ctx.db, workspaceId, environment, userId)) ?? failWith(404, 'person not found')
      const profileIds = await listIdsOf(ctx.db, workspaceId, person.id)
      return answer(ctx, { workspaceId, environment, profileIds }, { ...query, since: sinceOf(ctx, query.from) })
    },
  )
  app.get(
    '/devices/:deviceId/events',
    route({
      id: 'listEventsOfDevice',
      auth: 'member',
      permission: 'people:read',
      summary: `What happened on a device in the last ${DAYS} days, newest first`,
      description: 'Lists what happened on one installation, whoever used it. An installation of the other environment is 404.',
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

/** What apps of a workspace send just now, for members. */
export function newestEventsRoute(app: Routes, ctx: Context): void {
  app.get(
    '/events',
    routeIn('Events')({
      id: 'listNewestEvents',
      auth: 'member',
      permission: 'analytics:read',
      summary: `The newest events of the last ${NEWEST_HOURS} hours, newest first; of one type among the newest 10,000`,
      description: 'Shows what apps send just now, for looking at while an app is being built. There is no further page.',
      query: NewestQuery,
      out: Ok(Type.Object({ events: Type.Array(EventSchema) })),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { type, limit, environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const since = new Date(ctx.clock.ms() - NEWEST_HOURS * HOUR_MS)
      const events = await listNewest(ctx.db, { workspaceId, environment }, { since, type, limit })
      return ok({ events: events.map(presentEvent) })
    },
  )
}

/** 400 for what lies further back than one may look. */
function sinceOf(ctx: Context, from: string | undefined): Date {
  const asked = timeOf('from', from)
  if (!asked) return new Date(ctx.clock.ms() - DAYS * DAY_MS)
  // The beginning of a day, however late it is.
  if (asked.getTime() < ctx.clock.ms() - (MOST_DAYS + 1) * DAY_MS) failWith(400, `from: at most ${MOST_DAYS} days ago`)
  return asked
}

type AskedEvents = Static<typeof EventsQuery> & { type?: string; since?: Date }

async function answer(ctx: Context, source: EventOwner, { limit, cursor, type, since = sinceOf(ctx, undefined) }: AskedEvents) {
  const { items, next, total } = await pageEvents(ctx.db, source, { since, type, before: cursor, limit })
  return ok({ events: items.map(presentEvent), since }, { total, nextCursor: next })
}

function presentEvent({ place, at, ...event }: StoredEvent) {
  return { id: idOf({ place, at }), at, ...event }
}
