import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf, BLOCK_KEY, INSTANCE_ID } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { EnvironmentName, Nullable, Ok, queryOf, rangeOf, TimeParam, Type } from '../../http/schema.ts'
import { hasInstance, listContentCounts, type ContentCounts } from './queries-content.ts'

const ResultsQuery = Type.Object({
  from: TimeParam('The first day (UTC); 30 days ago when left out'),
  to: TimeParam('The last day (UTC); today when left out'),
  environment: Type.Optional(Type.Enum(['live', 'test'], { description: 'live when left out' })),
})
const Counts = { impressions: Type.Integer(), clicks: Type.Integer(), dismissals: Type.Integer(), conversions: Type.Integer() }
export const ResultsSchema = Type.Object({
  instanceId: Type.String(),
  environment: EnvironmentName,
  from: Type.String({ description: 'A day (UTC)' }),
  to: Type.String({ description: 'A day (UTC), which is counted too' }),
  total: Type.Object(Counts),
  variants: Type.Array(
    Type.Object({ variantId: Nullable(Type.String({ description: 'null: the content without a variant' })), ...Counts }),
  ),
  languages: Type.Array(
    Type.Object({
      variantId: Nullable(Type.String()),
      locale: Nullable(Type.String({ description: 'Which the device asked for last; null: none' })),
      ...Counts,
    }),
  ),
})
const DEFAULT_DAYS = 30

/** What people did with one instance. */
export function resultRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/blocks/:key/instances/:id/results',
    routeIn('Instances')({
      id: 'getInstanceResults',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'Events that name an instance, by variant and language; at most 5 seconds behind',
      description:
        'Answers impressions, clicks, dismissals and conversions of one instance, by variant and by language, for a range of days.',
      params: pathOf({ key: BLOCK_KEY, id: INSTANCE_ID }),
      query: ResultsQuery,
      out: Ok(ResultsSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { key, id } = request.params
      if (!(await hasInstance(ctx.db, workspaceId, key, id))) failWith(404, 'instance not found')
      const { environment = 'live', ...asked } = queryOf(request)
      const range = rangeOf(asked, 'UTC')
      const now = ctx.clock.ms()
      const [from, to] = [dayOf(range.from?.getTime() ?? now - (DEFAULT_DAYS - 1) * DAY_MS), dayOf(range.to ? range.to.getTime() - 1 : now)]
      if (to < from) failWith(400, 'to must not be before from')
      const counts = await listContentCounts(ctx.db, workspaceId, id, { environment, from, to })
      const byVariant = [...Map.groupBy(counts, ({ variantId }) => variantId)]
      return ok({
        instanceId: id,
        environment,
        from,
        to,
        total: sumOf(counts),
        variants: byVariant.map(([variantId, rows]) => ({ variantId: variantId || null, ...sumOf(rows) })),
        languages: counts.map(({ variantId, locale, ...sums }) => ({ variantId: variantId || null, locale: locale || null, ...sums })),
      })
    },
  )
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

function sumOf(rows: readonly ContentCounts[]) {
  const sum = (name: 'impressions' | 'clicks' | 'dismissals' | 'conversions') => rows.reduce((all, row) => all + row[name], 0)
  return { impressions: sum('impressions'), clicks: sum('clicks'), dismissals: sum('dismissals'), conversions: sum('conversions') }
}
