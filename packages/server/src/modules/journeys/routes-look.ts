/** What a journey did, was and would do: reports, versions, explanations, test runs. */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { pathOf } from '../../http/params.ts'
import { UserParams } from '../../http/path-ids.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { findPerson } from '../people/index.ts'
import { guardWriteOnly } from '../segments/index.ts'
import { ReportSchema } from '../sends/index.ts'
import { askedBy, explainRun } from './explain.ts'
import { PersonsJourneySchema, presentPersonsRun, VersionSchema, WholeVersionSchema } from './present.ts'
import { ExplainSchema, JourneyReportSchema, presentExplained, presentTestRun, TestRunBody, TestRunSchema } from './present-report.ts'
import { getJourney } from './queries.ts'
import { getVersion, pageVersions } from './queries-versions.ts'
import { reportOn } from './report.ts'
import { pageRunsOfPerson } from './runs/queries-runs.ts'
import { tryOut } from './test-run.ts'

const route = routeIn('Journeys')
const Params = pathOf({ id: 'The id of the journey' })

export function lookRoutes(app: Routes, ctx: Context): void {
  personRoutes(app, ctx)
  reportRoutes(app, ctx)
  versionRoutes(app, ctx)
}

function personRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/users/:userId/journeys',
    route({
      id: 'listJourneysOfPerson',
      auth: 'member',
      permission: 'people:read',
      summary: 'The journeys that a person is in, or was; the newest first',
      description: 'Lists the runs of one person of the live environment over all journeys, with where they stand.',
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
      description: 'Lists who saved which version and what differed. Saves of an editor that follow each other closely are one version.',
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
      description: 'Answers name, trigger, steps and settings of a journey as they were in one version.',
      params: pathOf({ id: 'The id of the journey', number: 'The version' }),
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
      description:
        'Answers for each step how many people stand on it, passed and left it, and for each message what became of it, by channel.',
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
      description:
        'Answers the trigger and each step with what it asked of this person and what it found. Journeys that ask for industry or imported data are explained to editors and admins only.',
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
      description:
        'Lets the journey run for named people, or an example person, over simulated days with the events that you send. The answer says which step each would reach when, and which message they would get.',
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
