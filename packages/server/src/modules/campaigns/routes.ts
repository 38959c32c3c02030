import type { FastifyRequest } from 'fastify'
import { CAMPAIGN_STATUSES } from '@contentflow/core/campaigns/status.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/envelope.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import type { ModuleRoutes, Routes } from '../../http/routes.ts'
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

const tags = ['Campaigns']
const Params = Type.Object({ id: Type.String() })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...CAMPAIGN_STATUSES])),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
  from: TimeParam('Start or end at or after this time'),
  to: TimeParam('Start or end before this time'),
})
const member = { auth: 'member' } as const
const editor = { auth: 'member', role: 'editor' } as const

/** M-CAMP, G-50. */
function campaignRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/campaigns',
    {
      config: member,
      schema: {
        tags,
        summary: 'Campaigns, the newest first',
        querystring: ListQuery,
        response: { 200: Page('campaigns', CampaignSchema) },
      },
    },
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
    {
      config: editor,
      bodyLimit: BODY_BYTES.campaign,
      schema: { tags, summary: 'Make a campaign, as a draft', body: NewCampaignBody, response: { 201: Ok(CampaignSchema) } },
    },
    async (request, reply) => {
      const campaign = await createCampaign(ctx, actorOf(request), sentBody(request))
      return reply.code(201).send(ok(await presentOne(ctx, memberCaller(request).workspaceId, campaign)))
    },
  )
  app.get(
    '/campaigns/:id',
    { config: member, schema: { tags, summary: 'A campaign', params: Params, response: { 200: Ok(CampaignSchema) } } },
    async (request, reply) => {
      const campaign = await campaignOf(ctx, request)
      void reply.header('etag', `"${campaign.version}"`)
      return ok(await presentOne(ctx, memberCaller(request).workspaceId, campaign))
    },
  )
  app.put(
    '/campaigns/:id',
    {
      config: editor,
      bodyLimit: BODY_BYTES.campaign,
      schema: {
        tags,
        summary: 'Change a campaign; members left out stay. What is approved takes somebody with approval rights, or waits for them',
        params: Params,
        querystring: AutosaveQuery,
        headers: IfMatch,
        body: CampaignBody,
        response: { 200: Ok(CampaignSchema), 202: Ok(EditAskedSchema) },
      },
    },
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
    { config: editor, schema: { tags, summary: 'Delete a draft', params: Params, headers: IfMatch, response: { 200: Deleted } } },
    async (request) => {
      await deleteCampaign(ctx, actorOf(request), request.params.id, expectedVersion(request))
      return ok({ deleted: true as const })
    },
  )
}

function lookRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/campaigns/:id/history',
    {
      config: member,
      schema: {
        tags,
        summary: 'Who did what to a campaign, and what was approved; the newest first',
        params: Params,
        querystring: PageQuery,
        response: { 200: Page('history', CampaignEventSchema) },
      },
    },
    async (request) => {
      const { id } = await campaignOf(ctx, request)
      const { limit, cursor } = queryOf(request)
      const before = cursor === undefined ? undefined : Number(cursor)
      return page('history', await pageEvents(ctx.db, memberCaller(request).workspaceId, id, { before, limit }))
    },
  )
  app.get(
    '/campaigns/:id/approved',
    {
      config: member,
      schema: {
        tags,
        summary: 'What it held when it was approved last, also after it was sent back; null when it never was',
        params: Params,
        response: { 200: Ok(Type.Object({ approved: Nullable(ApprovalSchema) })) },
      },
    },
    async (request) => {
      const { id } = await campaignOf(ctx, request)
      return ok({ approved: (await findApproval(ctx.db, memberCaller(request).workspaceId, id)) ?? null })
    },
  )
  app.get(
    '/campaigns/:id/report',
    {
      config: member,
      schema: {
        tags,
        summary: 'What became of its messages, by channel',
        params: Params,
        response: { 200: Ok(Type.Object({ campaignId: Type.String(), ...ReportSchema.properties })) },
      },
    },
    async (request) => {
      const { id } = await campaignOf(ctx, request)
      const report = await readReport(ctx.db, memberCaller(request).workspaceId, { source: 'campaign', sourceId: id })
      return ok({ campaignId: id, ...presentReport(report) })
    },
  )
  app.get(
    '/campaigns/:id/statistics',
    {
      config: member,
      schema: {
        tags,
        summary: 'How many saw it, clicked and converted, by variant and language, and whether what differs is more than chance',
        params: Params,
        querystring: StatisticsQuery,
        response: { 200: Ok(StatisticsSchema) },
      },
    },
    async (request) => {
      const { workspaceId } = memberCaller(request)
      return ok(await readStatistics(ctx, workspaceId, await campaignOf(ctx, request), queryOf(request).environment ?? 'live'))
    },
  )
  app.get(
    '/campaigns/:id/explain',
    {
      config: member,
      schema: {
        tags,
        summary:
          'Why somebody gets a campaign or does not, by channel; of segments by industry data or imported data for editors and admins',
        params: Params,
        querystring: ExplainQuery,
        response: { 200: Ok(CampaignExplanationSchema) },
      },
    },
    async (request) => {
      const { segments } = await campaignOf(ctx, request)
      const caller = memberCaller(request)
      await guardWriteOnly(ctx, caller, { segments })
      return ok(presentExplained(await explainCampaign(ctx, caller.workspaceId, request.params.id, queryOf(request).userId)))
    },
  )
  app.post(
    '/campaigns/:id/resend-interrupted',
    {
      config: editor,
      schema: {
        tags,
        summary: 'Send again to exactly those whose message may or may not have left when a process ended',
        params: Params,
        body: Empty,
        response: { 200: Ok(Type.Object({ campaignId: Type.String(), resent: Type.Integer({ description: 'People' }) })) },
      },
    },
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
