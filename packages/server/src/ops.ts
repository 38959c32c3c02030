import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from './context.ts'
import { ok } from './http/answers/envelope.ts'
import { Ok, Type } from './http/schema.ts'
import { routeIn } from './http/routes.ts'
import { withDeadline } from './infra/deadline.ts'

/** What load balancers and scrapers ask. Neither `/healthz` nor `/metrics` touches the database: an outage there must not restart every process. */
export function opsRoutes(app: FastifyInstance, ctx: Context, isStopping: () => boolean): void {
  const route = routeIn('Operations')
  const State = Type.Object({
    status: Type.String(),
    database: Type.Optional(Type.Enum(['up', 'down'])),
    redis: Type.Optional(Type.Enum(['up', 'down'], { description: 'While it is down each process counts rates alone' })),
  })
  app.get(
    '/healthz',
    route({
      id: 'checkHealth',
      auth: 'none',
      summary: 'The process answers',
      description: 'Answers 200 as long as the process answers at all, without asking the database.',
      out: Ok(State),
    }),
    async () => ok({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    route({
      id: 'checkReadiness',
      auth: 'none',
      summary: 'Whether to send traffic here; stays 200 while last known content can be served',
      description:
        '200 `ready` or `degraded`: send traffic here, in the second case with the last known content while the database or Redis is away. 503 while the process stops.',
      out: { 200: Ok(State), 503: Type.Object({ success: Type.Literal(false), error: Type.String() }) },
    }),
    async (_request, reply) => {
      if (isStopping()) return reply.code(503).send({ success: false, error: 'stopping' })
      const isUp = await answersWithin(ctx, 1_000)
      const redis = ctx.kv.shared()
      const status = isUp && redis !== 'down' ? 'ready' : 'degraded'
      return ok({ status, database: isUp ? ('up' as const) : ('down' as const), ...(redis && { redis }) })
    },
  )
  const readMetrics = cacheWhenBusy(() => ctx.metrics.registry.metrics())
  app.get('/metrics', { config: { auth: 'none' } }, async (_request, reply) =>
    reply.type(ctx.metrics.registry.contentType).send(await readMetrics()),
  )
}

/** Of the loop's time, and what of it may be spent in a row, milliseconds. */
const SHARE = { part: 0.05, most: 300 }

/**
 * A text whose making costs the loop milliseconds: made anew for whoever asks now and then, as scrapers do. A crowd that asks gets the
 * last one, once its making took its share of the time.
 */
function cacheWhenBusy(make: () => Promise<string>): () => Promise<string> {
  let last: Promise<string> | undefined
  let [leftMs, at] = [SHARE.most, performance.now()]
  return () => {
    const now = performance.now()
    leftMs = Math.min(SHARE.most, leftMs + (now - at) * SHARE.part)
    at = now
    if (last && leftMs <= 0) return last
    const made = make().finally(() => (leftMs -= performance.now() - now))
    made.catch(() => (last = undefined))
    return (last = made)
  }
}

async function answersWithin(ctx: Context, milliseconds: number): Promise<boolean> {
  try {
    await withDeadline(milliseconds, sql`select 1`.execute(ctx.db))
    return true
  } catch (error) {
    ctx.log.warn({ err: error }, 'the database did not answer the readiness check')
    return false
  }
}
