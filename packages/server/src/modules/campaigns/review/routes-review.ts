import type { FastifyRequest } from 'fastify'
import { CAMPAIGN_STATUSES, type CampaignStep } from '@contentflow/core/campaigns/status.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { memberCaller } from '../../../http/callers/auth.ts'
import { objectBody } from '../../../http/bodies/body.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../../http/if-match.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Empty, Ok, Type } from '../../../http/schema.ts'
import { sendingFaults } from '../../sends/index.ts'
import { sentBy } from '../campaigns.ts'
import { CampaignSchema } from '../present.ts'
import { presentOne } from '../show.ts'
import { getCampaign } from '../queries.ts'
import { stepCampaign, type ReviewInput } from './review.ts'

const route = routeIn('Campaigns')
const Params = pathOf({ id: 'The id of the campaign' })
const Note = Type.String({ maxLength: LIMITS.reviewNoteLength })
const Otp = Type.String({ maxLength: 20, description: 'The one-time code, where launch protection asks for one' })
const ApproveBody = Type.Object({
  activateTarget: Type.Optional(
    Type.Enum(['live', 'test'], { description: 'At once; else scheduled, or approved when its start has passed' }),
  ),
  note: Type.Optional(Note),
  otp: Type.Optional(Otp),
})
const RejectBody = Type.Object({ note: Note })
const StatusBody = Type.Object({ status: Type.Enum([...CAMPAIGN_STATUSES]), reason: Type.Optional(Note), otp: Type.Optional(Otp) })

type CampaignRequest = FastifyRequest<{ Params: { id: string } }>

/** The steps of a campaign (G-51, G-52). */
export function reviewRoutes(app: Routes, ctx: Context): void {
  const step = async (request: CampaignRequest, taken: CampaignStep, said: ReviewInput = {}) => {
    const caller = memberCaller(request)
    const campaign = await stepCampaign(ctx, caller, request.params.id, taken, { ...said, expectedVersion: expectedVersion(request) })
    return ok(await presentOne(ctx, caller.workspaceId, campaign))
  }
  const exists = (request: CampaignRequest) => getCampaign(ctx.db, memberCaller(request).workspaceId, request.params.id)
  const shapes = { params: Params, headers: IfMatch, out: Ok(CampaignSchema) }

  app.post(
    '/campaigns/:id/submit-review',
    route({
      id: 'submitCampaign',
      auth: 'member',
      permission: 'campaigns:write',
      summary: 'Ask for a review',
      description:
        'Fixes the content for review: from now on only approving, rejecting or recalling it goes on. A message that could not be sent, for example because a link has no web address, is refused here. `warnings` names what whoever approves should know.',
      ...shapes,
      body: Empty,
      refuses: [
        'CAMPAIGN_SUBMIT_REVIEW_FAILED',
        'VERSION_CHANGED',
        'ADDRESS_NOT_PROVED',
        'WEB_ADDRESS_NEEDED',
        'MAIL_NOT_READY',
        'PUSH_TOO_LARGE',
        'PUBLIC_URL_NEEDED',
      ],
    }),
    async (request) => {
      const { data } = await step(request, { action: 'submit' })
      const faults = await sendingFaults(ctx, memberCaller(request).workspaceId, sentBy(data))
      return ok({ ...data, warnings: [...data.warnings, ...faults] })
    },
  )
  app.post(
    '/campaigns/:id/recall',
    route({
      id: 'recallCampaign',
      auth: 'member',
      permission: 'campaigns:write',
      summary: 'Take it back from review',
      description: 'Takes a campaign that waits for review back to draft, so that it can be changed.',
      ...shapes,
      body: Empty,
      refuses: ['CAMPAIGN_RECALL_FAILED', 'VERSION_CHANGED'],
    }),
    (request) => step(request, { action: 'recall' }),
  )
  app.post(
    '/campaigns/:id/approve',
    route({
      id: 'approveCampaign',
      auth: 'member',
      permission: 'campaigns:approve',
      summary: 'Approve what was submitted by somebody else; with If-Match exactly what you read',
      description:
        'Approves exactly what was submitted. Nobody approves what they submitted themselves. With `activateTarget` it goes live at once, which may take an admin or a one-time code; without it, it starts by its schedule.',
      ...shapes,
      body: ApproveBody,
      refuses: [
        'CAMPAIGN_APPROVE_FAILED',
        'SELF_APPROVAL_NOT_ALLOWED',
        'VERSION_CHANGED',
        'LAUNCH_ADMIN_REQUIRED',
        'LAUNCH_OTP_REQUIRED',
        'TEST_ENV_RETIRED',
        'ADDRESS_NOT_PROVED',
        'INVITER_APPROVAL_NOT_ALLOWED',
        'PUBLIC_URL_NEEDED',
      ],
    }),
    async (request) => {
      await exists(request)
      const { activateTarget, ...said } = bodyOf(request)
      return step(request, { action: 'approve', activateTarget }, said)
    },
  )
  app.post(
    '/campaigns/:id/reject',
    route({
      id: 'rejectCampaign',
      auth: 'member',
      permission: 'campaigns:approve',
      summary: 'Send it back, and say why',
      description: 'Sends the campaign back to its author with a note, which is required. It can be changed and submitted again.',
      ...shapes,
      body: RejectBody,
      refuses: ['CAMPAIGN_REJECT_FAILED', 'VERSION_CHANGED'],
    }),
    async (request) => {
      await exists(request)
      return step(request, { action: 'reject' }, { note: noteOf(request) })
    },
  )
  app.patch(
    '/campaigns/:id/status',
    route({
      id: 'setCampaignStatus',
      auth: 'member',
      permission: 'campaigns:launch',
      summary: 'Pause, resume, complete, take back to draft, or let what is approved go live',
      description:
        'Moves a campaign along: pausing and completing are free, going live takes an approval and, where launch protection is on, an admin or a one-time code. INVALID_STATUS_TRANSITION names a step that does not lead there.',
      ...shapes,
      body: StatusBody,
      refuses: [
        'INVALID_STATUS_TRANSITION',
        'REVIEW_REQUIRED',
        'LAUNCH_ADMIN_REQUIRED',
        'LAUNCH_OTP_REQUIRED',
        'TEST_ENV_RETIRED',
        'PUBLIC_URL_NEEDED',
      ],
    }),
    async (request) => {
      await exists(request)
      const { status, ...said } = bodyOf(request)
      return step(request, { action: `to_${status}` }, said)
    },
  )
}

/** M-CAMP-22: a rejection without one has a code of its own. */
function noteOf(request: FastifyRequest): string {
  const { note } = objectBody(request)
  const isRight = typeof note === 'string' && note.trim() !== '' && note.length <= LIMITS.reviewNoteLength
  const message = `note must say in 1 to ${LIMITS.reviewNoteLength} characters why it is sent back`
  return isRight ? note.trim() : fail('CAMPAIGN_REJECT_FAILED', { status: 400, message })
}
