import { REQUEST_KINDS, REQUEST_LAWS } from '@contentflow/core/identity/deadlines.ts'
import { REQUEST_STATES, REQUEST_TEXT } from '@contentflow/core/identity/subject-requests.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { parseTime } from '@contentflow/core/time.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Nullable, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { presentRequest, SubjectRequestSchema } from './present-received.ts'
import { pageSubjectRequests, requireSubjectRequest } from './queries-received.ts'
import { changeRequest, recordRequest, shownRequest, todayIn } from './requests-received.ts'

const route = routeIn('People')
const Text = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: REQUEST_TEXT, description })))

const RecordBody = Type.Object(
  {
    kind: Type.Enum([...REQUEST_KINDS]),
    law: Type.Enum([...REQUEST_LAWS], { description: 'Whose days count: the Saudi PDPL, the GDPR, the DPDP Act of India' }),
    userId: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength, description: 'Whom it is about, if they are known here' })),
    ),
    receivedOn: Type.Optional(
      Type.String({ maxLength: 10, description: 'A day, such as 2026-05-01; left out: today, by the calendar of the workspace' }),
    ),
    publishedDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: 'Of dpdp: the period that your organisation publishes; left out: 30, of grievances 90',
      }),
    ),
    note: Text('For members. It goes with the person when they are erased'),
  },
  { examples: [{ kind: 'access', law: 'gdpr', userId: 'sara', receivedOn: '2026-05-01' }] },
)
const ChangeBody = Type.Object(
  {
    state: Type.Optional(Type.Enum([...REQUEST_STATES])),
    extend: Type.Optional(Type.Boolean({ description: 'True: as much longer as the law lets it take, once; reason says why' })),
    reason: Text('Why it is refused or takes longer. It stays when the person is erased, so name nobody in it'),
    note: Text('For members. It goes with the person when they are erased'),
    exportId: Type.Optional(
      Nullable(
        Type.String({
          description: 'The file that answered it. Left out where a copy is done: the newest file of the person since it was recorded',
        }),
      ),
    ),
    erasureId: Type.Optional(Nullable(Type.String({ description: 'The erasure that answered it' }))),
  },
  { examples: [{ state: 'done' }] },
)

/** Requests of people about their data, with the days that a law gives for the answer. */
export function receivedRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/subject-requests',
    route({
      id: 'listSubjectRequests',
      auth: 'member',
      permission: 'people:read',
      summary: 'Requests of people about their data, newest first; with state=waiting those that wait, the nearest last day first',
      description: 'Lists what people asked for about their data, with the last day of the answer by the law that counts.',
      query: Type.Object({
        ...PageQuery.properties,
        state: Type.Optional(Type.Enum([...REQUEST_STATES, 'waiting'], { description: 'In this state; waiting: not answered yet' })),
      }),
      out: Page('requests', SubjectRequestSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, state } = queryOf(request)
      const today = await todayIn(ctx, ctx.db, workspaceId)
      const found = await pageSubjectRequests(ctx.db, workspaceId, { state, after: cursor, limit })
      return page('requests', found, (row) => presentRequest(shownRequest(ctx, row, today)))
    },
  )
  app.post(
    '/subject-requests',
    route({
      id: 'recordSubjectRequest',
      auth: 'member',
      permission: 'people:manage',
      summary: 'Record a request that a person made about their data',
      description:
        'Writes down a request and works out the last day of its answer by its law and the calendar of the workspace. Nothing is exported or erased by it.',
      body: RecordBody,
      out: { 201: Ok(SubjectRequestSchema) },
    }),
    async (request, reply) => {
      const body = bodyOf(request)
      const { receivedOn } = body
      const isDay = receivedOn === undefined || (receivedOn.length === 10 && parseTime(receivedOn) !== undefined)
      if (!isDay) failWith(400, 'receivedOn must be a day, such as 2026-05-01')
      return reply.code(201).send(ok(presentRequest(await recordRequest(ctx, actorOf(request), body))))
    },
  )
  app.patch(
    '/subject-requests/:id',
    route({
      id: 'changeSubjectRequest',
      auth: 'member',
      permission: 'people:manage',
      summary: 'Work on a request: verify who asked, extend it, answer or refuse it',
      description:
        'Moves a request on: whoever asked was verified, it was answered by an export or an erasure, refused with a reason, or extended once where its law allows that. One that is done or refused is SUBJECT_REQUEST_OVER.',
      params: pathOf({ id: 'The id of the request' }),
      body: ChangeBody,
      out: Ok(SubjectRequestSchema),
      refuses: ['SUBJECT_REQUEST_OVER', 'EXTENSION_NOT_ALLOWED'],
    }),
    async (request) => {
      const { id } = request.params
      await requireSubjectRequest(ctx.db, memberCaller(request).workspaceId, id)
      return ok(presentRequest(await changeRequest(ctx, actorOf(request), id, bodyOf(request))))
    },
  )
}
