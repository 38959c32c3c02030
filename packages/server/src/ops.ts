import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from './context.ts'
import { ok } from './http/envelope.ts'
import { Ok, Type } from './http/schema.ts'

/** What load balancers and scrapers ask. Neither `/healthz` nor `/metrics` touches the database: an outage there must not restart every process. */
export function opsRoutes(app: FastifyInstance, ctx: Context, isStopping: () => boolean): void {
  const tags = ['Operations']
  const State = Type.Object({
    status: Type.String(),
    database: Type.Optional(Type.Enum(['up', 'down'])),
    redis: Type.Optional(Type.Enum(['up', 'down'], { description: 'While it is down each process counts rates alone' })),
  })
  app.get(
    '/healthz',
    { exposeHeadRoute: true, config: { auth: 'none' }, schema: { tags, summary: 'The process answers', response: { 200: Ok(State) } } },
    async () => ok({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      exposeHeadRoute: true,
      config: { auth: 'none' },
      schema: {
        tags,
        summary: 'Whether to send traffic here; stays 200 while last known content can be served',
        response: { 200: Ok(State), 503: Type.Object({ success: Type.Literal(false), error: Type.String() }) },
      },
    },
    async (_request, reply) => {
      if (isStopping()) return reply.code(503).send({ success: false, error: 'stopping' })
      const isUp = await answersWithin(ctx, 1_000)
      const redis = ctx.kv.shared()
      const status = isUp && redis !== 'down' ? 'ready' : 'degraded'
      return ok({ status, database: isUp ? ('up' as const) : ('down' as const), ...(redis && { redis }) })
    },
  )
  app.get('/metrics', { config: { auth: 'none' } }, async (_request, reply) =>
    reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics()),
  )
}

async function answersWithin(ctx: Context, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const answer = sql`select 1`.execute(ctx.db).then(
    () => true,
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'the database did not answer the readiness check')
      return false
    },
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
