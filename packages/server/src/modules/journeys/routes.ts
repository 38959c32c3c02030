import { RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import { JOURNEY_STATUSES } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/envelope.ts'
import { failWith } from '../../errors.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import type { ModuleRoutes, Routes } from '../../http/routes.ts'
import { AskedSchema, AutosaveQuery, bodyOf, CodeSent, Deleted, Empty, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { UserParams } from '../../http/path-ids.ts'
import { sendCode } from '../approvals/index.ts'
import type { Channels } from '../channels/index.ts'
import { findPerson } from '../people/index.ts'
import { guardWriteOnly } from '../segments/index.ts'
import { ReportSchema } from '../sends/index.ts'
import { activateJourney } from './activate.ts'
import { problemsIn } from './completeness.ts'
import { enroll } from './enroll.ts'
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
import { pageRuns, pageRunsOfPerson } from './queries-runs.ts'
import { listWithPeople, reportOn } from './report.ts'
import { getVersion, pageVersions } from './queries-versions.ts'
import { tryOut } from './test-run.ts'

const tags = ['Journeys']
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
const member = { auth: 'member' } as const
const editor = { auth: 'member', role: 'editor' } as const

const whole = (journey: StoredJourney) => presentJourney(journey, problemsIn(journey))

/** M-JRN, G-57. */
function journeyRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/journeys',
    {
      config: member,
      schema: {
        tags,
        summary: 'Journeys, the newest first',
        querystring: ListQuery,
        response: { 200: Page('journeys', ListedJourneySchema) },
      },
    },
    async (request) => {
      const { limit, cursor, status, search } = queryOf(request)
      const found = await listWithPeople(ctx.db, memberCaller(request).workspaceId, { status, search, after: cursor, limit })
      return page('journeys', found, presentListed)
    },
  )
  app.post(
    '/journeys',
    {
      config: editor,
      bodyLimit: BODY_BYTES.journey,
      schema: { tags, summary: 'Make a journey, as a draft', body: NewJourneyBody, response: { 201: Ok(JourneySchema) } },
    },
    async (request, reply) => {
      const journey = await createJourney(ctx, actorOf(request), sentBody(request))
      return reply.code(201).send(ok(whole(journey)))
    },
  )
  app.get(
    '/journeys/:id',
    { config: member, schema: { tags, summary: 'A journey', params: Params, response: { 200: Ok(JourneySchema) } } },
    async (request, reply) => {
      const journey = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      void reply.header('etag', `"${journey.version}"`)
      return ok(whole(journey))
    },
  )
  app.put(
    '/journeys/:id',
    {
      config: editor,
      bodyLimit: BODY_BYTES.journey,
      schema: {
        tags,
        summary: 'Change a journey that is not active; members left out stay. Whoever stands on a step that is gone leaves it',
        params: Params,
        querystring: AutosaveQuery,
        headers: IfMatch,
        body: JourneyBody,
        response: { 200: Ok(JourneySchema) },
      },
    },
    async (request) => {
      const { id } = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      const { autosave: isAutosave } = queryOf(request)
      const saving = { expectedVersion: expectedVersion(request), isAutosave }
      return ok(whole(await updateJourney(ctx, actorOf(request), id, sentBody(request), saving)))
    },
  )
  app.delete(
    '/journeys/:id',
    {
      config: editor,
      schema: {
        tags,
        summary: 'Delete a journey that is not active, with who is in it',
        params: Params,
        headers: IfMatch,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      await deleteJourney(ctx, actorOf(request), request.params.id, expectedVersion(request))
      return ok({ deleted: true as const })
    },
  )
  app.patch(
    '/journeys/:id/status',
    {
      config: editor,
      schema: {
        tags,
        summary: 'Activate a journey, pause it, or take it back to draft; one that is not active takes and moves nobody',
        params: Params,
        headers: IfMatch,
        body: StatusBody,
        response: { 200: Ok(JourneySchema), 202: Ok(AskedSchema) },
      },
    },
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
    {
      config: member,
      schema: {
        tags,
        summary: 'Have a one-time code sent to your email, to let this journey become active',
        params: Params,
        body: Empty,
        response: { 202: Ok(Type.Object({ journeyId: Type.String(), ...CodeSent })) },
      },
    },
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
    {
      config: editor,
      bodyLimit: BODY_BYTES.userIds,
      schema: {
        tags,
        summary: 'Enter people by hand; the next check takes their first step',
        params: Params,
        body: EnrollBody,
        response: { 200: Ok(EnrolledSchema) },
      },
    },
    async (request) => {
      const { id } = await getJourney(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok(await enroll(ctx, actorOf(request), id, bodyOf(request).userIds))
    },
  )
  app.get(
    '/journeys/:id/runs',
    {
      config: member,
      schema: {
        tags,
        summary: 'Who is in a journey, or was, and where they are',
        params: Params,
        querystring: RunsQuery,
        response: { 200: Page('runs', RunSchema) },
      },
    },
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
    {
      config: member,
      schema: {
        tags,
        summary: 'The journeys that a person is in, or was; the newest first',
        params: UserParams,
        querystring: PageQuery,
        response: { 200: Page('journeys', PersonsJourneySchema) },
      },
    },
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
    {
      config: member,
      schema: {
        tags,
        summary: `What a journey was and what was changed, the newest first; the last ${LIMITS.journeyVersions} are kept`,
        params: Params,
        querystring: PageQuery,
        response: { 200: Page('versions', VersionSchema) },
      },
    },
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await getJourney(ctx.db, workspaceId, request.params.id)
      const { limit, cursor } = queryOf(request)
      return page('versions', await pageVersions(ctx.db, workspaceId, id, { after: cursor, limit }), (version) => version)
    },
  )
  app.get(
    '/journeys/:id/versions/:number',
    {
      config: member,
      schema: {
        tags,
        summary: 'A journey as it was',
        params: Type.Object({ ...Params.properties, number: Type.String({ description: 'The version' }) }),
        response: { 200: Ok(WholeVersionSchema) },
      },
    },
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
    {
      config: member,
      schema: {
        tags,
        summary: 'How many people are at each step, and what became of what it sent',
        params: Params,
        response: { 200: Ok(JourneyReportSchema(ReportSchema)) },
      },
    },
    async (request) => ok(await reportOn(ctx.db, memberCaller(request).workspaceId, request.params.id)),
  )
  app.get(
    '/journeys/:id/explain',
    {
      config: member,
      schema: {
        tags,
        summary: 'Why a person is where they are in a journey, or is not in it; by industry data or imported data for editors and admins',
        params: Params,
        querystring: Type.Object({
          userId: Type.String({ minLength: 1, description: 'A user id, or the device id of an anonymous person' }),
        }),
        response: { 200: Ok(ExplainSchema) },
      },
    },
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
    {
      config: { ...editor, isRead: true },
      bodyLimit: BODY_BYTES.userIds,
      schema: {
        tags,
        summary: 'What a journey would do with some people, as they are now; nothing is stored or sent',
        params: Params,
        body: TestRunBody,
        response: { 200: Ok(TestRunSchema) },
      },
    },
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
  },
}
