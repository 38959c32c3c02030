import { RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import { JOURNEY_STATUSES } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { failWith } from '../../errors.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { AskedSchema, AutosaveQuery, bodyOf, CodeSent, Deleted, Empty, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { UserParams } from '../../http/path-ids.ts'
import { sendCode } from '../approvals/index.ts'
import type { Channels } from '../channels/index.ts'
import { findPerson } from '../people/index.ts'
import { guardWriteOnly } from '../segments/index.ts'
import { ReportSchema } from '../sends/index.ts'
import { activateJourney } from './activate.ts'
import { problemsIn } from './completeness.ts'
import { enroll } from './runs/enroll.ts'
import { createJourney, deleteJourney, setStatus, updateJourney } from './journeys.ts'
import {
  EnrollBody,
  EnrolledSchema,
  JourneyBody,
  JourneySchema,
  ListedJourneySchema,
  NewJourneyBody,
  PersonsJourneySchema,
  presentJourney,
  presentListed,
  presentPersonsRun,
  presentRun,
  RunSchema,
  StatusBody,
  VersionSchema,
  WholeVersionSchema,
} from './present.ts'
import { ExplainSchema, JourneyReportSchema, presentExplained, presentTestRun, TestRunBody, TestRunSchema } from './present-report.ts'
import { askedBy, explainRun } from './explain.ts'
import { getJourney, type StoredJourney } from './queries.ts'
import { pageRuns, pageRunsOfPerson } from './runs/queries-runs.ts'
import { listWithPeople, reportOn } from './report.ts'
import { getVersion, pageVersions } from './queries-versions.ts'
import { testSendRoutes } from './routes-test-send.ts'
import { tryOut } from './test-run.ts'

const route = routeIn('Journeys')
const Params = Type.Object({ id: Type.String() })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...JOURNEY_STATUSES])),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
})
const RunsQuery = Type.Object({
  ...PageQuery.properties,
  userId: Type.Optional(Type.String({ description: 'A user id, or the device id of an anonymous person' })),
  status: Type.Optional(Type.Enum([...RUN_STATUSES])),
})

const whole = (journey: StoredJourney) => presentJourney(journey, problemsIn(journey))

/** M-JRN, G-57. */
function journeyRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/journeys',
    route({
      id: 'listJourneys',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'Journeys, the newest first',
      query: ListQuery,
      out: Page('journeys', ListedJourneySchema),
    }),
    async (request) => {
      const { limit, cursor, status, search } = queryOf(request)
      const found = await listWithPeople(ctx.db, memberCaller(request).workspaceId, { status, search, after: cursor, limit })
      return page('journeys', found, presentListed)
    },
  )
  app.post(
    '/journeys',
    route({
      id: 'createJourney',
      auth: 'member',
      permission: 'journeys:write',
      summary: 'Make a journey, as a draft',
      body: NewJourneyBody,
      out: { 201: Ok(JourneySchema) },
      bodyLimit: BODY_BYTES.journey,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'JOURNEY_LIMIT', 'TRACKERS_EXCEEDED', 'WORKSPACE_FULL'],
    }),
    async (request, reply) => {
      const journey = await createJourney(ctx, actorOf(request), sentBody(request))
      return reply.code(201).send(ok(whole(journey)))
    },
  )
  app.get(
    '/journeys/:id',
    route({ id: 'getJourney', auth: 'member', permission: 'journeys:read', summary: 'A journey', params: Params, out: Ok(JourneySchema) }),
    async (request, reply) => {
      const journey = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      void reply.header('etag', `"${journey.version}"`)
      return ok(whole(journey))
    },
  )
  app.put(
    '/journeys/:id',
    route({
      id: 'updateJourney',
      auth: 'member',
      permission: 'journeys:write',
      summary: 'Change a journey that is not active; members left out stay. Whoever stands on a step that is gone leaves it',
      params: Params,
      query: AutosaveQuery,
      headers: IfMatch,
      body: JourneyBody,
      out: Ok(JourneySchema),
      bodyLimit: BODY_BYTES.journey,
      refuses: [
        'LINK_SCHEME_NOT_ALLOWED',
        'JOURNEY_ACTIVE',
        'JOURNEY_INCOMPLETE',
        'VERSION_CHANGED',
        'TRACKERS_EXCEEDED',
        'WORKSPACE_FULL',
      ],
    }),
    async (request) => {
      const { id } = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      const { autosave: isAutosave } = queryOf(request)
      const saving = { expectedVersion: expectedVersion(request), isAutosave }
      return ok(whole(await updateJourney(ctx, actorOf(request), id, sentBody(request), saving)))
    },
  )
  app.delete(
    '/journeys/:id',
    route({
      id: 'deleteJourney',
      auth: 'member',
      permission: 'journeys:write',
      summary: 'Delete a journey that is not active, with who is in it',
      params: Params,
      headers: IfMatch,
      out: Deleted,
      refuses: ['JOURNEY_ACTIVE', 'VERSION_CHANGED'],
    }),
    async (request) => {
      await deleteJourney(ctx, actorOf(request), request.params.id, expectedVersion(request))
      return ok({ deleted: true as const })
    },
  )
  app.patch(
    '/journeys/:id/status',
    route({
      id: 'setJourneyStatus',
      auth: 'member',
      permission: 'journeys:activate',
      summary: 'Activate a journey, pause it, or take it back to draft; one that is not active takes and moves nobody',
      params: Params,
      headers: IfMatch,
      body: StatusBody,
      out: { 200: Ok(JourneySchema), 202: Ok(AskedSchema) },
      refuses: [
        'JOURNEY_INCOMPLETE',
        'JOURNEY_NOT_ACTIVE',
        'VERSION_CHANGED',
        'ADDRESS_NOT_PROVED',
        'LAUNCH_ADMIN_REQUIRED',
        'LAUNCH_OTP_REQUIRED',
        'WEB_ADDRESS_NEEDED',
        'PUSH_TOO_LARGE',
        'PUBLIC_URL_NEEDED',
        'MAIL_NOT_READY',
      ],
    }),
    async (request, reply) => {
      const { id } = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      const { status, otp } = bodyOf(request)
      const version = expectedVersion(request)
      if (status !== 'active') return reply.send(ok(whole(await setStatus(ctx, actorOf(request), id, status, version))))
      const { journey, asked } = await activateJourney(ctx, memberCaller(request), id, { expectedVersion: version, otp })
      return asked ? reply.code(202).send(ok(asked)) : reply.send(ok(whole(journey)))
    },
  )
}

function launchRoutes(app: Routes, ctx: Context, channels: Channels): void {
  app.post(
    '/journeys/:id/launch-otp',
    route({
      id: 'sendJourneyCode',
      callsOut: true,
      auth: 'member',
      permission: 'journeys:read',
      summary: 'Have a one-time code sent to your email, to let this journey become active',
      params: Params,
      body: Empty,
      out: { 202: Ok(Type.Object({ journeyId: Type.String(), ...CodeSent })) },
      refuses: ['LAUNCH_OTP_RATE_LIMITED', 'LAUNCH_OTP_UNAVAILABLE'],
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const { id, name } = await getJourney(ctx.db, caller.workspaceId, request.params.id)
      return reply.code(202).send(ok({ journeyId: id, ...(await sendCode(ctx, channels, caller, { kind: 'journey', id, name })) }))
    },
  )
}

function peopleRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/journeys/:id/enroll',
    route({
      id: 'enrollInJourney',
      auth: 'member',
      permission: 'journeys:activate',
      summary: 'Enter people by hand; the next check takes their first step',
      params: Params,
      body: EnrollBody,
      out: Ok(EnrolledSchema),
      bodyLimit: BODY_BYTES.userIds,
      refuses: ['JOURNEY_NOT_ACTIVE', 'APPROVAL_NEEDED'],
    }),
    async (request) => {
      const { id } = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok(await enroll(ctx, actorOf(request), id, bodyOf(request).userIds))
    },
  )
  app.get(
    '/journeys/:id/runs',
    route({
      id: 'listJourneyRuns',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'Who is in a journey, or was, and where they are',
      params: Params,
      query: RunsQuery,
      out: Page('runs', RunSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await getJourney(ctx.db, workspaceId, request.params.id)
      const { limit, cursor, userId, status } = queryOf(request)
      return page('runs', await pageRuns(ctx.db, workspaceId, id, { userId, status, after: cursor, limit }), presentRun)
    },
  )
}

function personRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/users/:userId/journeys',
    route({
      id: 'listJourneysOfPerson',
      auth: 'member',
      permission: 'people:read',
      summary: 'The journeys that a person is in, or was; the newest first',
      params: UserParams,
      query: PageQuery,
      out: Page('journeys', PersonsJourneySchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const person = (await findPerson(ctx.db, workspaceId, 'live', request.params.userId)) ?? failWith(404, 'person not found')
      const { limit, cursor } = queryOf(request)
      return page('journeys', await pageRunsOfPerson(ctx.db, workspaceId, person.id, { after: cursor, limit }), presentPersonsRun)
    },
  )
}

function versionRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/journeys/:id/versions',
    route({
      id: 'getJourneysVersions',
      auth: 'member',
      permission: 'journeys:read',
      summary: `What a journey was and what was changed, the newest first; the last ${LIMITS.journeyVersions} are kept`,
      params: Params,
      query: PageQuery,
      out: Page('versions', VersionSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await getJourney(ctx.db, workspaceId, request.params.id)
      const { limit, cursor } = queryOf(request)
      return page('versions', await pageVersions(ctx.db, workspaceId, id, { after: cursor, limit }), (version) => version)
    },
  )
  app.get(
    '/journeys/:id/versions/:number',
    route({
      id: 'getJourneysVersionsById',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'A journey as it was',
      params: Type.Object({ ...Params.properties, number: Type.String({ description: 'The version' }) }),
      out: Ok(WholeVersionSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await getJourney(ctx.db, workspaceId, request.params.id)
      return ok(await getVersion(ctx.db, workspaceId, id, request.params.number))
    },
  )
}

function reportRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/journeys/:id/report',
    route({
      id: 'getJourneyReport',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'How many people are at each step, and what became of what it sent',
      params: Params,
      out: Ok(JourneyReportSchema(ReportSchema)),
    }),
    async (request) => ok(await reportOn(ctx.db, memberCaller(request).workspaceId, request.params.id)),
  )
  app.get(
    '/journeys/:id/explain',
    route({
      id: 'explainJourney',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'Why a person is where they are in a journey, or is not in it; by industry data or imported data for editors and admins',
      params: Params,
      query: Type.Object({
        userId: Type.String({ minLength: 1, description: 'A user id, or the device id of an anonymous person' }),
      }),
      out: Ok(ExplainSchema),
    }),
    async (request) => {
      const caller = memberCaller(request)
      const { workspaceId } = caller
      const journey = await getJourney(ctx.db, workspaceId, request.params.id)
      await guardWriteOnly(ctx, caller, askedBy(journey))
      const { id } = journey
      const { userId } = queryOf(request)
      return ok(presentExplained(userId, await explainRun(ctx, workspaceId, id, userId)))
    },
  )
  app.post(
    '/journeys/:id/test-run',
    route({
      id: 'testJourney',
      auth: 'member',
      permission: 'journeys:write',
      isRead: true,
      summary: 'What a journey would do with some people, as they are now; nothing is stored or sent',
      params: Params,
      body: TestRunBody,
      out: Ok(TestRunSchema),
      bodyLimit: BODY_BYTES.userIds,
      refuses: ['JOURNEY_INCOMPLETE'],
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await getJourney(ctx.db, workspaceId, request.params.id)
      const { days = LIMITS.journeyTestDays.default, events = [], ...whom } = bodyOf(request)
      return ok(presentTestRun(await tryOut(ctx, workspaceId, id, { ...whom, days, events })))
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context; channels: Channels }> = {
  management: (app, { ctx, channels }) => {
    journeyRoutes(app, ctx)
    launchRoutes(app, ctx, channels)
    peopleRoutes(app, ctx)
    personRoutes(app, ctx)
    reportRoutes(app, ctx)
    versionRoutes(app, ctx)
    testSendRoutes(app, ctx, channels)
  },
}
