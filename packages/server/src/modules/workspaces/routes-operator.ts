import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type, Time } from '../../http/schema.ts'
import { FAULTS } from '../../infra/faults.ts'
import { createWorkspaceFor } from './accounts/accounts.ts'
import { beginning, beginningOf } from './accounts/routes-accounts.ts'
import { Email, Name, Workspace } from './present.ts'
import * as queries from './queries.ts'
import { changeSettings, setSuspended } from './settings.ts'

const PlanBody = Type.Object({
  customerLimit: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000 }))),
  requestsPerMinute: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'null: no workspace rate' }))),
  contentMegabytes: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: `Content, texts, campaigns and journeys that it may hold, of 1,000,000 bytes each; null: ${LIMITS.workspaceMegabytes}`,
      }),
    ),
  ),
  mediaMegabytes: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description: `Files of its content library, of 1,000,000 bytes each; null: ${LIMITS.libraryMegabytes}`,
      }),
    ),
  ),
  features: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const State = Type.Object({
  id: Type.String(),
  suspended: Type.Boolean(),
  customerLimit: Nullable(Type.Integer()),
  requestsPerMinute: Nullable(Type.Integer()),
  contentMegabytes: Nullable(Type.Integer()),
  mediaMegabytes: Nullable(Type.Integer()),
  features: Type.Record(Type.String(), Type.Unknown()),
})
const WorkspaceBody = Type.Object({ email: Email, name: Name, ...beginning })
const WorkspaceParams = pathOf({ id: 'The id of the workspace' })

/** Routes of whoever runs the installation (G-02). */
export function operatorRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Operator')
  const shapes = { params: WorkspaceParams, out: Ok(State) }
  for (const { verb, id, summary, description, suspended } of [
    {
      verb: 'suspend',
      id: 'suspendWorkspace',
      summary: 'Suspend a workspace',
      description:
        'Its keys and those of its sandbox open nothing, and what is due of it waits. Members still read, export and erase people, and write nothing else (WORKSPACE_SUSPENDED). Suspending it again changes nothing.',
      suspended: true,
    },
    {
      verb: 'resume',
      id: 'resumeWorkspace',
      summary: 'Resume a workspace',
      description: 'Its keys open it again, and messages, webhooks, journeys and imports that waited go on.',
      suspended: false,
    },
  ] as const) {
    app.post(`/operator/workspaces/:id/${verb}`, route({ id, auth: 'operator', summary, description, ...shapes }), async (request) =>
      ok(toState(await setSuspended(ctx, ofOperator(request), suspended))),
    )
  }
  app.post(
    '/operator/workspaces',
    route({
      id: 'createWorkspaceFor',
      auth: 'operator',
      summary: 'Open a workspace for somebody with an account',
      description: 'Opens a workspace whose admin is the account with this email. 404 when there is no such account.',
      body: WorkspaceBody,
      out: { 201: Ok(Workspace) },
      refuses: ['TIME_ZONE_UNKNOWN'],
    }),
    async (request, reply) => {
      const body = bodyOf(request)
      return reply.code(201).send(ok(await createWorkspaceFor(ctx, body.email, body.name, beginningOf(body))))
    },
  )
  app.put(
    '/operator/workspaces/:id/plan',
    route({
      id: 'setWorkspacePlan',
      auth: 'operator',
      summary: 'Set the limits of a workspace',
      description:
        'Sets limits of one workspace; members left out stay, and null lifts a limit or brings its default back. It counts from the next request on.',
      ...shapes,
      body: PlanBody,
    }),
    async (request) => {
      const { id } = request.params
      await queries.getSettings(ctx.db, id)
      const body = bodyOf(request)
      const row = await changeSettings(ctx, ofOperator(request), {
        ...(body.customerLimit !== undefined && { customer_limit: body.customerLimit }),
        ...(body.requestsPerMinute !== undefined && { requests_per_minute: body.requestsPerMinute }),
        ...(body.contentMegabytes !== undefined && { content_megabytes: body.contentMegabytes }),
        ...(body.mediaMegabytes !== undefined && { media_megabytes: body.mediaMegabytes }),
        ...(body.features && { plan_features: JSON.stringify(body.features) }),
      })
      return ok(toState(row))
    },
  )
}

function ofOperator(request: FastifyRequest<{ Params: { id: string } }>) {
  return { workspaceId: request.params.id, actor: 'operator' }
}

function toState(row: queries.SettingsRow) {
  return {
    id: row.id,
    suspended: row.suspended,
    customerLimit: row.customer_limit,
    requestsPerMinute: row.requests_per_minute,
    contentMegabytes: row.content_megabytes,
    mediaMegabytes: row.media_megabytes,
    features: row.plan_features as Record<string, unknown>,
  }
}

const ClockBody = Type.Object({ advanceSeconds: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) })
/** The jobs of this process, handed in by app.ts. */
export type Jobs = { names: readonly string[]; run(name: string): Promise<void>; runDue(): Promise<void> }
const FaultBody = Type.Object({ name: Type.Enum([...FAULTS]), on: Type.Boolean() })

/** Only with CF_TEST_HOOKS (G-03). */
export function testHookRoutes(app: Routes, ctx: Context, jobs: Jobs): void {
  if (!ctx.config.hasTestHooks) return
  if (ctx.config.operatorToken === '') failWith(500, 'CF_TEST_HOOKS needs CF_OPERATOR_TOKEN')
  const route = routeIn('Test hooks')
  const JobBody = Type.Object({ job: Type.Enum([...jobs.names]) })
  app.post(
    '/test-hooks/clock',
    route({
      id: 'advanceClock',
      auth: 'operator',
      isHidden: true,
      summary: 'Move the clock forward',
      description:
        'Moves the clock of this process forward and does all work that is due then. Only where CF_TEST_HOOKS is on, and otherwise 404.',
      body: ClockBody,
      out: Ok(Type.Object({ now: Time })),
    }),
    async (request) => {
      ctx.clock.advance(bodyOf(request).advanceSeconds)
      await jobs.runDue()
      return ok({ now: ctx.clock.now() })
    },
  )
  app.post(
    '/test-hooks/jobs',
    route({
      id: 'runJob',
      auth: 'operator',
      isHidden: true,
      summary: 'Run one pass of a job',
      description:
        'Runs one named job of this process once and answers when it is done. Only where CF_TEST_HOOKS is on, and otherwise 404.',
      body: JobBody,
      out: Ok(Type.Object({ job: Type.String() })),
    }),
    async (request) => {
      const { job } = bodyOf(request)
      await jobs.run(job)
      return ok({ job })
    },
  )
  app.post(
    '/test-hooks/faults',
    route({
      id: 'setFault',
      auth: 'operator',
      isHidden: true,
      summary: 'Switch a fault on or off',
      description:
        'Makes a named part of the server fail until it is switched off again, to try how clients behave. Only where CF_TEST_HOOKS is on, and otherwise 404.',
      body: FaultBody,
      out: Ok(FaultBody),
    }),
    async (request) => {
      const fault = bodyOf(request)
      ctx.faults.set(fault.name, fault.on)
      return ok(fault)
    },
  )
}
