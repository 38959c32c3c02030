import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, EnvironmentName, Ok, queryOf, rangeOf, Time, TimeParam, Type } from '../../http/schema.ts'
import { zoneOfDays } from '../calendar/index.ts'
import { daysOf, readOverview, UNIT_MS } from './overview.ts'
import { sumCounts, type Range, type Subject } from './queries-read.ts'
import { keepEvents } from './expire-events.ts'
import { resultRoutes } from './routes-results.ts'
import { findRetention } from './queries-retention.ts'

const range = {
  from: TimeParam(
    'ISO 8601; the beginning of its hour counts, or of its day with interval=day (UTC). A day without a time is one of the time zone of the workspace',
  ),
  to: TimeParam('ISO 8601; up to the end of its hour or day. Now when left out. A day without a time counts whole'),
  environment: Type.Optional(Type.Enum(['live', 'test'], { description: 'live when left out' })),
}
const CountsQuery = Type.Object(range)
const OverviewQuery = Type.Object({
  ...range,
  interval: Type.Optional(Type.Enum(['hour', 'day'], { description: 'What one point of the series covers; day when left out' })),
})
const counts = {
  impressions: Type.Integer(),
  clicks: Type.Integer(),
  dismissals: Type.Integer(),
  conversions: Type.Integer(),
  total: Type.Integer({ description: 'All events, whatever their type' }),
}
const CountsSchema = Type.Object(counts)
export const OverviewSchema = Type.Object({
  from: Time,
  to: Time,
  interval: Type.Enum(['hour', 'day']),
  environment: EnvironmentName,
  totals: CountsSchema,
  series: Type.Array(
    Type.Object({
      at: Time,
      date: Type.Optional(Type.String({ description: 'With interval=day: which day it is' })),
      ...counts,
      activeDevices: Type.Optional(Type.Integer({ description: 'With interval=day; of the day of UTC with that date' })),
    }),
  ),
  types: Type.Array(Type.Object({ type: Type.String(), total: Type.Integer() }), { description: 'The most frequent ones' }),
  otherTypes: Type.Integer({ description: 'Events of types that are not listed' }),
  blocks: Type.Array(
    Type.Object({
      key: Type.String(),
      impressions: Type.Integer(),
      clicks: Type.Integer(),
      clickRate: Type.Number({ description: '0 to 1' }),
    }),
    { description: 'Those seen most' },
  ),
})
export const Retention = Type.Object({ days: Type.Integer({ minimum: 1, maximum: LIMITS.eventRetentionDaysMax, examples: [400] }) })

/** Points of one answer. */
const POINTS = 400
const DEFAULT_DAYS = 30
const route = routeIn('Analytics')

/** G-66, and figures for people to look at. */
function analyticsRoutes(app: Routes, ctx: Context): void {
  countsRoute(app, ctx, { id: 'getBlockAnalytics', path: 'blocks', subject: 'block', param: 'key' })
  countsRoute(app, ctx, { id: 'getInstanceAnalytics', path: 'instances', subject: 'instance', param: 'id' })
  countsRoute(app, ctx, { id: 'getCampaignAnalytics', path: 'campaigns', subject: 'campaign', param: 'id' })
  app.get(
    '/analytics/overview',
    route({
      id: 'getAnalyticsOverview',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'What happened in a range of time, by default the last 30 days',
      description:
        'Answers totals, a series of hours or days, the most frequent types of events and the blocks seen most. A range of more than 400 points is 400.',
      query: OverviewQuery,
      out: Ok(OverviewSchema),
    }),
    async (request) => {
      const query = queryOf(request)
      const unit = query.interval ?? 'day'
      const now = ctx.clock.ms()
      const asked = await readRange(ctx, request, query, { unit, defaultFrom: now - (unit === 'day' ? DEFAULT_DAYS - 1 : 1) * UNIT_MS.day })
      if (asked.to.getTime() - asked.from.getTime() > POINTS * UNIT_MS[unit])
        failWith(400, `The range has more than ${POINTS} points; ask for a shorter one, or for interval=day`)
      return ok(await readOverview(ctx.db, asked))
    },
  )
  resultRoutes(app, ctx)
  retentionRoutes(app, ctx)
}

type Counts = { id: string; path: string; subject: Subject; param: 'key' | 'id' }

function countsRoute(app: Routes, ctx: Context, { id, path, subject, param }: Counts): void {
  app.get(
    `/analytics/${path}/:${param}`,
    route({
      id,
      auth: 'member',
      permission: 'analytics:read',
      summary: `Events about one ${subject}; at most 5 seconds behind`,
      description: `Answers impressions, clicks, dismissals and conversions of the events that name this ${subject}, and all of its events together, over a range of whole hours. One that nobody sent anything about has zeros.`,
      params: pathOf({ [param]: `Which ${subject}` }),
      query: CountsQuery,
      out: Ok(CountsSchema),
    }),
    async (request) => {
      const name = request.params[param] ?? ''
      const asked = await readRange(ctx, request, queryOf(request), { unit: 'hour', defaultFrom: 0 })
      return ok(await sumCounts(ctx.db, asked, subject, name))
    },
  )
}

type AskedRange = { from?: string; to?: string; environment?: string }

/** Whole units. 400 for what is no time, and for a range that ends before it begins. */
async function readRange(
  ctx: Context,
  request: FastifyRequest,
  { from, to, environment = 'live' }: AskedRange,
  { unit, defaultFrom }: { unit: Range['unit']; defaultFrom: number },
): Promise<Range> {
  const { workspaceId } = memberCaller(request)
  const zone = await zoneOfDays(ctx.db, workspaceId, from, to)
  const range = rangeOf({ from, to }, zone)
  const begin = range.from?.getTime() ?? defaultFrom
  const end = range.to?.getTime() ?? ctx.clock.ms()
  const of = { workspaceId, environment: environment as Range['environment'] }
  if (unit === 'day' && zone !== 'UTC') return { ...of, unit, ...daysOf(begin, to === undefined ? end + 1 : end, zone) }
  const length = UNIT_MS[unit]
  const start = Math.floor(begin / length) * length
  return {
    ...of,
    unit,
    from: new Date(start),
    to: new Date(Math.max(start, to === undefined ? (Math.floor(end / length) + 1) * length : Math.ceil(end / length) * length)),
  }
}

function retentionRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/settings/event-retention',
    routeIn('Settings')({
      id: 'getEventRetention',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Days that events are kept',
      description: 'Answers for how many days single events are kept. Counts are kept longer.',
      out: Ok(Retention),
    }),
    async (request) => ok({ days: await findRetention(ctx.db, memberCaller(request).workspaceId) }),
  )
  app.put(
    '/settings/event-retention',
    routeIn('Settings')({
      id: 'setEventRetention',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Keep events for so many days; older ones go within a day, counts stay',
      description: 'Sets for how many days single events are kept. Older ones are deleted for good; rules and analysis no longer see them.',
      body: Retention,
      out: Ok(Retention),
    }),
    async (request) => {
      const { days } = bodyOf(request)
      await ctx.change(actorOf(request), (change) => keepEvents(change, days))
      return ok({ days })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => analyticsRoutes(app, ctx),
}
