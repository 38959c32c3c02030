import type { FastifyRequest } from 'fastify'
import { CAMPAIGN_STATUSES } from '@contentflow/core/campaigns/status.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { AutosaveQuery, Deleted, Empty, endOf, Nullable, Ok, Page, PageQuery, queryOf, timeOf, TimeParam, Type } from '../../http/schema.ts'
import type { Channels } from '../channels/index.ts'
import { createCampaign, deleteCampaign, sendInterruptedAgain, updateCampaign } from './campaigns.ts'
import { explainCampaign } from './report/explain.ts'
import {
  ApprovalSchema,
  CampaignBody,
  CampaignEventSchema,
  CampaignExplanationSchema,
  CampaignSchema,
  ExplainQuery,
  presentExplained,
  EditAskedSchema,
  NewCampaignBody,
} from './present.ts'
import { StatisticsQuery, StatisticsSchema } from './report/present-statistics.ts'
import * as queries from './queries.ts'
import { findApproval } from './review/queries-approvals.ts'
import { pageEvents } from './queries-events.ts'
import { guardWriteOnly } from '../segments/index.ts'
import { zoneOfDays } from '../calendar/index.ts'
import { presentReport, readReport, ReportSchema } from '../sends/index.ts'
import { editRoutes } from './review/routes-edits.ts'
import { launchRoutes } from './routes-launch.ts'
import { previewRoutes } from './routes-preview.ts'
import { reviewRoutes } from './review/routes-review.ts'
import { presentAll, presentOne } from './show.ts'
import { readStatistics } from './report/statistics.ts'

const route = routeIn('Campaigns')
const Params = pathOf({ id: 'The id of the campaign' })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...CAMPAIGN_STATUSES], { description: 'Campaigns in this state' })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
  from: TimeParam('Start or end at or after this time'),
  to: TimeParam('Start or end before this time'),
})

/** M-CAMP, G-50. */
function campaignRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/campaigns',
    route({
      id: 'listCampaigns',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Campaigns, the newest first',
      description:
        'Lists campaigns with their content. `from` and `to` keep those whose time touches that range; days without a time are days of the workspace.',
      query: ListQuery,
      out: Page('campaigns', CampaignSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, status, search, ...times } = queryOf(request)
      const zone = await zoneOfDays(ctx.db, workspaceId, times.from, times.to)
      const between = { from: timeOf('from', times.from, zone), to: endOf('to', times.to, zone) }
      const found = await queries.pageCampaigns(ctx.db, workspaceId, { status, search, ...between, after: cursor, limit })
      return page('campaigns', { ...found, items: await presentAll(ctx, workspaceId, found.items) })
    },
  )
  app.post(
    '/campaigns',
    route({
      id: 'createCampaign',
      auth: 'member',
      permission: 'campaigns:write',
      summary: 'Make a campaign, as a draft',
      description: 'Saves a new campaign as a draft. Nothing is shown or sent before it was approved.',
      body: NewCampaignBody,
      out: { 201: Ok(CampaignSchema) },
      bodyLimit: BODY_BYTES.campaign,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'CAMPAIGN_LIMIT', 'REVIEW_REQUIRED', 'WORKSPACE_FULL'],
    }),
    async (request, reply) => {
      const campaign = await createCampaign(ctx, actorOf(request), sentBody(request))
      return reply.code(201).send(ok(await presentOne(ctx, memberCaller(request).workspaceId, campaign)))
    },
  )
  app.get(
    '/campaigns/:id',
    route({
      id: 'getCampaign',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'A campaign',
      description:
        'Answers one campaign with its content, targeting, schedule and state of review. Send the ETag as If-Match with the next change.',
      sends: ['ETag'],
      params: Params,
      out: Ok(CampaignSchema),
    }),
    async (request, reply) => {
      const campaign = await campaignOf(ctx, request)
      void reply.header('etag', `"${campaign.version}"`)
      return ok(await presentOne(ctx, memberCaller(request).workspaceId, campaign))
    },
  )
  app.put(
    '/campaigns/:id',
    route({
      id: 'updateCampaign',
      auth: 'member',
      permission: 'campaigns:write',
      summary: 'Change a campaign; members left out stay. What is approved takes somebody with approval rights, or waits for them',
      description:
        'Replaces the members that are sent. A draft is changed at once. Of an approved campaign, somebody without approval rights only asks for the change, which is answered 202 and applied when a second person agrees. What is under review or over is refused with CAMPAIGN_NOT_EDITABLE.',
      params: Params,
      query: AutosaveQuery,
      headers: IfMatch,
      body: CampaignBody,
      out: { 200: Ok(CampaignSchema), 202: Ok(EditAskedSchema) },
      bodyLimit: BODY_BYTES.campaign,
      refuses: [
        'LINK_SCHEME_NOT_ALLOWED',
        'CAMPAIGN_NOT_EDITABLE',
        'VERSION_CHANGED',
        'REVIEW_REQUIRED',
        'WORKSPACE_FULL',
        'ADDRESS_NOT_PROVED',
        'WEB_ADDRESS_NEEDED',
        'MAIL_NOT_READY',
        'PUSH_TOO_LARGE',
      ],
    }),
    async (request, reply) => {
      const { id } = await campaignOf(ctx, request)
      const caller = memberCaller(request)
      const { autosave: isAutosave } = queryOf(request)
      const changed = await updateCampaign(ctx, caller, id, sentBody(request), { expectedVersion: expectedVersion(request), isAutosave })
      if (!changed.isAsked) return ok(await presentOne(ctx, caller.workspaceId, changed.campaign))
      const { editRequestId, campaignId } = changed
      return reply.code(202).send(ok({ editRequestId, campaignId, status: 'pending' as const }))
    },
  )
  app.delete(
    '/campaigns/:id',
    route({
      id: 'deleteCampaign',
      auth: 'member',
      permission: 'campaigns:write',
      summary: 'Delete a draft',
      description: 'Deletes a campaign that is a draft, with its history. Every other one is completed or taken back to draft first.',
      params: Params,
      headers: IfMatch,
      out: Deleted,
      refuses: ['CAMPAIGN_NOT_DRAFT', 'VERSION_CHANGED'],
    }),
    async (request) => {
      await deleteCampaign(ctx, actorOf(request), request.params.id, expectedVersion(request))
      return ok({ deleted: true as const })
    },
  )
}

function lookRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/campaigns/:id/history',
    route({
      id: 'listCampaignHistory',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Who did what to a campaign, and what was approved; the newest first',
      description:
        'Lists each step of the campaign, from its making over reviews to its end, with the member, the note and a hash of the content.',
      params: Params,
      query: PageQuery,
      out: Page('history', CampaignEventSchema),
    }),
    async (request) => {
      const { id } = await campaignOf(ctx, request)
      const { limit, cursor } = queryOf(request)
      const before = cursor === undefined ? undefined : Number(cursor)
      return page('history', await pageEvents(ctx.db, memberCaller(request).workspaceId, id, { before, limit }))
    },
  )
  app.get(
    '/campaigns/:id/approved',
    route({
      id: 'getApprovedCampaign',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'What it held when it was approved last, also after it was sent back; null when it never was',
      description: 'Answers the content as the second person saw and approved it, to be compared with what the campaign holds now.',
      params: Params,
      out: Ok(Type.Object({ approved: Nullable(ApprovalSchema) })),
    }),
    async (request) => {
      const { id } = await campaignOf(ctx, request)
      return ok({ approved: (await findApproval(ctx.db, memberCaller(request).workspaceId, id)) ?? null })
    },
  )
  app.get(
    '/campaigns/:id/report',
    route({
      id: 'getCampaignReport',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'What became of its messages, by channel',
      description: 'Answers for each channel how many messages are waiting, sent, failed and skipped, with the reasons.',
      params: Params,
      out: Ok(Type.Object({ campaignId: Type.String(), ...ReportSchema.properties })),
    }),
    async (request) => {
      const { id } = await campaignOf(ctx, request)
      const report = await readReport(ctx.db, memberCaller(request).workspaceId, { source: 'campaign', sourceId: id })
      return ok({ campaignId: id, ...presentReport(report) })
    },
  )
  app.get(
    '/campaigns/:id/statistics',
    route({
      id: 'getCampaignsStatistics',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'How many saw it, clicked and converted, by variant and language, and whether what differs is more than chance',
      description:
        'Answers impressions, clicks and conversions by variant and language, with the interval of each share. The verdict may be looked at on any day: it does not call chance a difference because it was asked often.',
      params: Params,
      query: StatisticsQuery,
      out: Ok(StatisticsSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      return ok(await readStatistics(ctx, workspaceId, await campaignOf(ctx, request), queryOf(request).environment ?? 'live'))
    },
  )
  app.get(
    '/campaigns/:id/explain',
    route({
      id: 'explainCampaign',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Why somebody gets a campaign or does not, by channel; of segments by industry data or imported data for editors and admins',
      description:
        'Answers by channel whether this person would get the campaign now, or what became of their message, with the one reason that decided. Works before it leaves and afterwards.',
      params: Params,
      query: ExplainQuery,
      out: Ok(CampaignExplanationSchema),
    }),
    async (request) => {
      const { segments } = await campaignOf(ctx, request)
      const caller = memberCaller(request)
      await guardWriteOnly(ctx, caller, { segments })
      return ok(presentExplained(await explainCampaign(ctx, caller.workspaceId, request.params.id, queryOf(request).userId)))
    },
  )
  app.post(
    '/campaigns/:id/resend-interrupted',
    route({
      id: 'resendInterrupted',
      auth: 'member',
      permission: 'campaigns:launch',
      summary: 'Send again to exactly those whose message may or may not have left when a process ended',
      description:
        'A process that ends while a provider is called leaves it open whether these messages left; they are not sent again by themselves. This sends them again, to nobody else. The campaign has to be active.',
      params: Params,
      body: Empty,
      out: Ok(Type.Object({ campaignId: Type.String(), resent: Type.Integer({ description: 'People' }) })),
      refuses: ['CAMPAIGN_NOT_ACTIVE'],
    }),
    async (request) => {
      const { id } = request.params
      return ok({ campaignId: id, resent: await sendInterruptedAgain(ctx, actorOf(request), id) })
    },
  )
}

async function campaignOf(ctx: Context, request: FastifyRequest<{ Params: { id: string } }>): Promise<queries.StoredCampaign> {
  return queries.getCampaign(ctx.db, memberCaller(request).workspaceId, request.params.id)
}

export const routes: ModuleRoutes<{ ctx: Context; channels: Channels }> = {
  management: (app, { ctx, channels }) => {
    campaignRoutes(app, ctx)
    lookRoutes(app, ctx)
    reviewRoutes(app, ctx)
    editRoutes(app, ctx)
    launchRoutes(app, ctx, channels)
    previewRoutes(app, ctx, channels)
  },
}
