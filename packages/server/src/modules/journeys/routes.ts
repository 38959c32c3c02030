import { RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import { JOURNEY_STATUSES } from '@contentflow/core/journeys/journey.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { AskedSchema, AutosaveQuery, bodyOf, CodeSent, Deleted, Empty, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { sendCode } from '../approvals/index.ts'
import type { Channels } from '../channels/index.ts'
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
  presentJourney,
  presentListed,
  presentRun,
  RunSchema,
  StatusBody,
} from './present.ts'
import { getJourney, type StoredJourney } from './queries.ts'
import { pageRuns } from './runs/queries-runs.ts'
import { listWithPeople } from './report.ts'
import { lookRoutes } from './routes-look.ts'
import { testSendRoutes } from './routes-test-send.ts'

const route = routeIn('Journeys')
const Params = pathOf({ id: 'The id of the journey' })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...JOURNEY_STATUSES], { description: 'Journeys in this state' })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
})
const RunsQuery = Type.Object({
  ...PageQuery.properties,
  userId: Type.Optional(Type.String({ description: 'A user id, or the device id of an anonymous person' })),
  status: Type.Optional(Type.Enum([...RUN_STATUSES], { description: 'People in this state' })),
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
      description: 'Lists journeys without their steps, with the number of people in each. `status` and `search` narrow the list.',
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
      description:
        'Saves a new journey as a draft; nobody enters it before it is activated. Its steps may be incomplete: `problems` in the answer names what is missing.',
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
    route({
      id: 'getJourney',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'A journey',
      description:
        'Answers one journey with all of its steps and what is missing before it can be activated. Send the ETag as If-Match with the next change.',
      sends: ['ETag'],
      params: Params,
      out: Ok(JourneySchema),
    }),
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
      description:
        'Replaces the members that are sent. A change withdraws a request for its activation. An active journey is refused with JOURNEY_ACTIVE: pause it first.',
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
      description: 'Deletes the journey with everybody who is in it and its versions. What it sent stays in the ledger of messages.',
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
      description:
        '`active` lets the journey take people and send; the texts of its messages are fixed at that moment. It is refused while something is missing or a message could not be sent. Where messages take a second person, activating is filed and answered 202; where launch protection is on, it takes an admin or a one-time code. Pausing is never held back.',
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
      description:
        'Sends a code to your own address, to be sent as `otp` when you activate this journey. It is needed only where launch protection asks for one. A few codes are allowed in some minutes.',
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
      description:
        'Enters the named people at the first step, whatever the trigger of the journey says. Whoever is in it, or was and may not enter again, is listed in `alreadyEnrolled`. The journey has to be active; where messages take a second person, this takes approval rights.',
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
      description: 'Lists people with the step they stand on, when they go on, and why they left. `userId` and `status` narrow the list.',
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

export const routes: ModuleRoutes<{ ctx: Context; channels: Channels }> = {
  management: (app, { ctx, channels }) => {
    journeyRoutes(app, ctx)
    launchRoutes(app, ctx, channels)
    peopleRoutes(app, ctx)
    lookRoutes(app, ctx)
    testSendRoutes(app, ctx, channels)
  },
}
