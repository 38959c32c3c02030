import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { idsOf, IdsParam, Ok, Page, PageQuery, queryOf, rangeOf, TimeParam, Type } from '../../../http/schema.ts'
import { zoneOfDays } from '../../calendar/index.ts'
import { CountsSchema, OverviewSchema, presentSummary, presentTurn, StateFilter, SummarySchema } from './present-overview.ts'
import * as queries from './queries-overview.ts'
import { warningsOf } from '../revisions/warn.ts'

const route = routeIn('Instances')

const Locale = (description: string) => Type.Optional(Type.String({ maxLength: 35, description }))
const ListQuery = Type.Object({
  ...PageQuery.properties,
  screen: Type.Optional(Type.String({ maxLength: LIMITS.screenLength, description: 'Of block types of this screen' })),
  screenless: Type.Optional(Type.Boolean({ description: 'Of block types that belong to no screen' })),
  blockKey: Type.Optional(Type.String({ maxLength: LIMITS.blockKeyLength, description: 'Of this block type' })),
  perType: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Only the first so many of each block type' })),
  state: Type.Optional(StateFilter),
  segment: Type.Optional(Type.String({ maxLength: 200, description: 'Name; `All users` for what is for everyone' })),
  locale: Locale('Every text has a translation in it'),
  missingLocale: Locale('A text has no translation in it'),
  labelLocale: Locale('Language of the labels'),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the title, the name of the type or any text' })),
  ids: IdsParam,
  from: TimeParam('ISO 8601; only what has a schedule that does not end before'),
  to: TimeParam('ISO 8601; only what has a schedule that starts before'),
})
const OverviewQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 14, description: 'How far to look ahead' }),
  locale: Locale('Language of the labels'),
})

/** How many starts and ends one answer has at most. */
const TURNS = 200
/** Starts within so many days are listed as coming next, however far ahead the caller reads otherwise. */
const SOON_DAYS = 14

/** All block types together, for lists and the first page of the dashboard. */
export function overviewRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/instances',
    route({
      id: 'listAllInstances',
      auth: 'member',
      permission: 'content:read',
      summary: 'Instances of all block types, by block key and in the order of delivery',
      description:
        'Lists instances over all block types, for overviews: each with its state, schedule, segments and missing translations. Filters narrow it together; `perType` keeps the first few of each type.',
      query: ListQuery,
      out: Page('instances', SummarySchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, labelLocale, ...query } = queryOf(request)
      const now = ctx.clock.now()
      const zone = await zoneOfDays(ctx.db, workspaceId, query.from, query.to)
      const filter = { ...query, ids: idsOf(query.ids), ...rangeOf(query, zone) }
      const found = await queries.pageAllInstances(ctx.db, workspaceId, filter, { after: cursor, limit, now })
      const types = await queries.findTypes(
        ctx.db,
        workspaceId,
        found.items.map(({ instance }) => instance.blockKey),
      )
      const warnings = await warningsOf(
        ctx,
        workspaceId,
        found.items.map(({ instance }) => instance.id),
      )
      const items = found.items.flatMap((item) => {
        const type = types.get(item.instance.blockKey)
        return type ? [presentSummary(item, type, now.getTime(), warnings(item.instance.id), labelLocale)] : []
      })
      return page('instances', { ...found, items })
    },
  )
  app.get(
    '/content/counts',
    route({
      id: 'countInstances',
      auth: 'member',
      permission: 'content:read',
      summary: 'How many instances each block type has, and how many of them are live',
      description: 'Answers one line for each block type with the number of its instances and of those that are live now.',
      out: Ok(CountsSchema),
    }),
    async (request) => ok({ types: await queries.countInstances(ctx.db, memberCaller(request).workspaceId, ctx.clock.now()) }),
  )
  app.get(
    '/content/overview',
    route({
      id: 'getContentOverview',
      auth: 'member',
      permission: 'content:read',
      summary: 'What is live on each screen, what starts or ends soon, and what waits for somebody',
      description:
        'Answers what is live on each screen, which schedules start or end in the coming days, and how many requests and drafts wait. At most 200 starts and ends are listed; `hasMoreUpcoming` says there are more.',
      query: OverviewQuery,
      out: Ok(OverviewSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const now = ctx.clock.now()
      const { days, locale } = queryOf(request)
      const until = new Date(now.getTime() + days * DAY_MS)
      const screens = await queries.listScreens(ctx.db, workspaceId, now)
      const turns = await queries.listTurns(ctx.db, workspaceId, now, until, TURNS + 1)
      const waiting = await queries.countWaiting(ctx.db, workspaceId, new Date(now.getTime() + SOON_DAYS * DAY_MS))
      const upcoming = turns.slice(0, TURNS).map((turn) => presentTurn(turn, locale))
      return ok({ at: now, screens, upcoming, hasMoreUpcoming: turns.length > TURNS, waiting })
    },
  )
}
