import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { approveEdit, rejectEdit } from './edits.ts'
import { EditSchema, WaitingSchema } from '../present.ts'
import { getCampaign } from '../queries.ts'
import { pageWaiting } from './queries-waiting.ts'
import { EDIT_STATUSES, findEdit, pageEdits } from '../queries-events.ts'

const route = routeIn('Campaigns')
const Params = pathOf({ id: 'The id of the campaign' })
const EditParams = pathOf({ id: 'The id of the campaign', editId: 'The id of the edit that waits' })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...EDIT_STATUSES], { description: 'Edits in this state' })),
})
const NoteBody = Type.Object({ note: Type.Optional(Type.String({ maxLength: LIMITS.reviewNoteLength })) })

type EditRequest = FastifyRequest<{ Params: { id: string; editId: string } }>

/** G-53. */
export function editRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/campaigns/reviews',
    route({
      id: 'listCampaignReviews',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Campaigns, and changes of campaigns, that wait for a second person; the oldest first',
      description: 'Lists campaigns that were submitted and edits of approved campaigns that wait, each with who asked and when.',
      query: PageQuery,
      out: Page('reviews', WaitingSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      return page('reviews', await pageWaiting(ctx.db, memberCaller(request).workspaceId, { after: cursor, limit }))
    },
  )
  app.get(
    '/campaigns/:id/edit-requests',
    route({
      id: 'listCampaignEdits',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Changes that wait for a second person, and what became of earlier ones; the newest first',
      description: 'Lists the edits that were asked for of one approved campaign, with what they would change.',
      params: Params,
      query: ListQuery,
      out: Page('editRequests', EditSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await getCampaign(ctx.db, workspaceId, request.params.id)
      const { limit, cursor, status } = queryOf(request)
      return page('editRequests', await pageEdits(ctx.db, workspaceId, id, { status, after: cursor, limit }))
    },
  )
  const answer = { 200: Ok(EditSchema) }
  app.post(
    '/campaigns/:id/edit-requests/:editId/approve',
    route({
      id: 'approveCampaignEdit',
      auth: 'member',
      permission: 'campaigns:approve',
      summary: 'Agree: the campaign is changed',
      description:
        'Applies an edit that somebody else asked for to the campaign, which goes on running with it. Nobody approves their own.',
      params: EditParams,
      body: NoteBody,
      out: answer,
      refuses: [
        'REVIEW_OVER',
        'SELF_APPROVAL_NOT_ALLOWED',
        'WORKSPACE_FULL',
        'ADDRESS_NOT_PROVED',
        'INVITER_APPROVAL_NOT_ALLOWED',
        'WEB_ADDRESS_NEEDED',
        'MAIL_NOT_READY',
        'PUSH_TOO_LARGE',
      ],
    }),
    async (request) => {
      await requireEdit(ctx, request)
      const { note } = bodyOf(request)
      return ok(await approveEdit(ctx, memberCaller(request), targetOf(request), note?.trim() || null))
    },
  )
  app.post(
    '/campaigns/:id/edit-requests/:editId/reject',
    route({
      id: 'rejectCampaignEdit',
      auth: 'member',
      permission: 'campaigns:approve',
      summary: 'Send it back, and say why',
      description: 'Refuses an edit with a note, which is required. The campaign stays as it was approved.',
      params: EditParams,
      body: NoteBody,
      out: answer,
      refuses: ['REVIEW_OVER', 'SELF_APPROVAL_NOT_ALLOWED'],
    }),
    async (request) => {
      await requireEdit(ctx, request)
      const note = bodyOf(request).note?.trim() || failWith(400, 'note must say why it is sent back')
      return ok(await rejectEdit(ctx, memberCaller(request), targetOf(request), note))
    },
  )
}

/** Existence comes before what is wrong with the body (G-04). */
async function requireEdit(ctx: Context, request: EditRequest): Promise<void> {
  const { campaignId, id } = targetOf(request)
  if (!(await findEdit(ctx.db, memberCaller(request).workspaceId, campaignId, id))) failWith(404, 'edit request not found')
}

function targetOf({ params: { id, editId } }: EditRequest) {
  return { campaignId: id, id: editId }
}
