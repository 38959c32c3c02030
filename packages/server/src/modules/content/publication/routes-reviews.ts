import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { findRules } from '../../approvals/index.ts'
import { setPublishApproval } from '../revisions/change-content.ts'
import { approveAny, rejectAny, type Approving } from './decide-any.ts'
import { AnyReviewSchema, DecidedReviewSchema } from './present.ts'
import { pageReviews, REVIEW_STATUSES } from './queries-reviews.ts'

const ReviewQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Enum([...REVIEW_STATUSES], { default: 'pending', description: 'Requests that wait, or what became of others' }),
  instanceId: Type.Optional(Type.String({ maxLength: 64, description: 'Of one instance only' })),
})
/** What shows each kind of request. */
const READ_BY = {
  instance: 'content:read',
  campaign: 'campaigns:read',
  campaign_edit: 'campaigns:read',
  journey: 'journeys:read',
  notification: 'messages:read',
  sensor: 'strings:read',
} as const
const { success, data, metadata } = Page('reviews', AnyReviewSchema).properties
const ReviewPage = Type.Object({
  success,
  data: Type.Object({
    ...data.properties,
    hidden: Type.Optional(Type.Integer({ description: 'Of this page, what your role does not read; left out when it reads all' })),
  }),
  metadata,
})
const Params = pathOf({ id: 'The id of the request' })
const NoteBody = Type.Object({ note: Type.Optional(Type.String({ maxLength: LIMITS.reviewNoteLength })) })
const ApproveBody = Type.Object({
  ...NoteBody.properties,
  otp: Type.Optional(Type.String({ maxLength: 20, description: 'The one-time code, where launch protection asks for one' })),
})
const PublishingSchema = Type.Object({ approval: Type.Boolean({ description: 'Publishing to live takes a second person' }) })

/** Requests that wait for a second person (G-82). */
export function reviewRoutes(app: Routes, ctx: Context, approving: Approving): void {
  const route = routeIn('Reviews')
  app.get(
    '/reviews',
    route({
      id: 'listReviews',
      auth: 'member',
      permission: 'content:read',
      summary: 'What waits for a second person, of every kind, the oldest first; or what became of earlier requests',
      description:
        'Lists requests of every kind for which a second person is needed, or, with `status`, those that were decided or withdrawn. Requests about things your role does not read are left out and counted in `hidden`.',
      query: ReviewQuery,
      out: ReviewPage,
    }),
    async (request) => {
      const { limit, cursor, status, instanceId } = queryOf(request)
      const { workspaceId, grant } = memberCaller(request)
      const found = await pageReviews(ctx.db, workspaceId, { status, instanceId, after: cursor, limit })
      const { data, metadata } = page('reviews', found)
      const reviews = data.reviews.filter(({ kind }) => grant.permissions.has(READ_BY[kind]))
      const hidden = data.reviews.length - reviews.length
      return ok({ reviews, ...(hidden > 0 && { hidden }) }, metadata)
    },
  )
  app.post(
    '/reviews/:id/approve',
    route({
      id: 'approveReview',
      auth: 'member',
      permission: 'content:approve',
      summary: 'Agree: exactly what was asked for is done',
      description:
        'Agrees to one request, and carries out exactly what was asked, as it was then. Nobody approves their own request. Where launch protection is on, it may take an admin or a one-time code. 409 REVIEW_OVER when it was decided meanwhile.',
      params: Params,
      body: ApproveBody,
      out: Ok(DecidedReviewSchema),
      refuses: [
        'SELF_APPROVAL_NOT_ALLOWED',
        'REVIEW_OVER',
        'WORKSPACE_FULL',
        'ADDRESS_NOT_PROVED',
        'INVITER_APPROVAL_NOT_ALLOWED',
        'LAUNCH_ADMIN_REQUIRED',
        'LAUNCH_OTP_REQUIRED',
        'ANSWER_TOO_LONG',
        'WEB_ADDRESS_NEEDED',
        'PUSH_TOO_LARGE',
        'PUBLIC_URL_NEEDED',
        'MAIL_NOT_READY',
      ],
    }),
    async (request) => {
      const body = bodyOf(request)
      return ok(await approveAny(ctx, approving, memberCaller(request), request.params.id, { note: noteOf(body), otp: body.otp }))
    },
  )
  app.post(
    '/reviews/:id/reject',
    route({
      id: 'rejectReview',
      auth: 'member',
      permission: 'content:read',
      summary: 'Send it back with a note, or withdraw what you asked for yourself',
      description:
        'Refuses a request of somebody else, which takes approval rights, or withdraws your own. What was asked for does not happen, and the draft stays.',
      params: Params,
      body: NoteBody,
      out: Ok(DecidedReviewSchema),
      refuses: ['REVIEW_OVER'],
    }),
    async (request) => ok(await rejectAny(ctx, approving, memberCaller(request), request.params.id, noteOf(bodyOf(request)))),
  )
  app.get(
    '/settings/publishing',
    routeIn('Settings')({
      id: 'getPublishingSetting',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Whether publishing to live takes a second person',
      description: 'Answers whether a change of live content is filed as a request until a second person agreed.',
      out: Ok(PublishingSchema),
    }),
    async (request) => ok({ approval: (await findRules(ctx.db, memberCaller(request).workspaceId)).publishing }),
  )
  app.put(
    '/settings/publishing',
    routeIn('Settings')({
      id: 'setPublishingSetting',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Let publishing to live take a second person, or not',
      description: 'Switches that on or off from the next change on. Requests that wait already go on waiting.',
      body: PublishingSchema,
      out: Ok(PublishingSchema),
    }),
    async (request) => {
      const { approval } = bodyOf(request)
      await setPublishApproval(ctx, actorOf(request), approval)
      return ok({ approval })
    },
  )
}

function noteOf({ note }: { note?: string }): string | null {
  return note?.trim() || null
}
