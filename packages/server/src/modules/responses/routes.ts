import { readMessageTracking } from '@contentflow/core/messages/responses/tracking.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok, queryOf, Type } from '../../http/schema.ts'
import { ChannelQuery, MailLinksSchema, MessageTrackingBody, MessageTrackingSchema, ResponseReportSchema } from './present.ts'
import { readResponses } from './report.ts'
import { findTracking, setTracking } from './tracking-setting.ts'

const CampaignParams = pathOf({ id: 'The id of the campaign' })
const JourneyParams = pathOf({ id: 'The id of the journey' })

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    reportRoutes(app, ctx)
    trackingRoutes(app, ctx)
  },
}

function reportRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Sends')
  app.get(
    '/campaigns/:id/responses',
    route({
      id: 'getCampaignResponses',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Who opened the mails of a campaign and followed their links, with machines counted apart',
      description:
        'Answers how many people opened and clicked, with programs that open mails counted apart. Only people who agreed to be counted are in it. A hit is judged half a minute after the last one of the same mail, and at most two minutes after the first.',
      params: CampaignParams,
      query: ChannelQuery,
      out: Ok(ResponseReportSchema),
    }),
    async (request) => {
      const of = { source: 'campaign', sourceId: request.params.id, step: undefined, channel: queryOf(request).channel } as const
      return ok(await readResponses(ctx, memberCaller(request).workspaceId, of))
    },
  )
  app.get(
    '/campaigns/:id/links',
    route({
      id: 'listCampaignLinks',
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'The links in the mails of a campaign, with who followed each',
      description: 'Lists each link of the messages with the number of people who followed it, programs counted apart.',
      params: CampaignParams,
      query: ChannelQuery,
      out: Ok(MailLinksSchema),
    }),
    async (request) => {
      const of = { source: 'campaign', sourceId: request.params.id, step: undefined, channel: queryOf(request).channel } as const
      const { links } = await readResponses(ctx, memberCaller(request).workspaceId, of)
      return ok({ links })
    },
  )
  app.get(
    '/journeys/:id/responses',
    route({
      id: 'getJourneyResponses',
      auth: 'member',
      permission: 'journeys:read',
      summary: 'Who opened the mails of a journey and followed their links, of one step or of all',
      description:
        'Answers how many people opened and clicked messages of the journey, with programs counted apart; `step` keeps those of one step.',
      params: JourneyParams,
      query: Type.Object({
        ...ChannelQuery.properties,
        step: Type.Optional(Type.String({ maxLength: 200, description: 'The id of a step; left out: all' })),
      }),
      out: Ok(ResponseReportSchema),
    }),
    async (request) => {
      const { step, channel } = queryOf(request)
      const of = { source: 'journey', sourceId: request.params.id, step, channel } as const
      return ok(await readResponses(ctx, memberCaller(request).workspaceId, of))
    },
  )
}

function trackingRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/message-tracking'
  app.get(
    path,
    route({
      id: 'getMessageTracking',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Of whom openings and clicks of mails are counted',
      description: 'Answers of whom openings and clicks are counted: of everybody, of those who agreed, or of nobody.',
      out: Ok(MessageTrackingSchema),
    }),
    async (request) => ok(await findTracking(ctx.db, memberCaller(request).workspaceId)),
  )
  app.put(
    path,
    route({
      id: 'setMessageTracking',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Say of whom openings and clicks are counted, in mails that leave from then on',
      description: 'Sets of whom openings and clicks are counted, in messages that leave from then on. It replaces the whole setting.',
      body: MessageTrackingBody,
      out: Ok(MessageTrackingSchema),
    }),
    async (request) => {
      const read = readMessageTracking(bodyOf(request))
      if (!read.ok) failWith(400, `The body ${read.error}`)
      await ctx.change(actorOf(request), async ({ tx, workspaceId, audited }) => {
        audited('setting', 'message-tracking', await findTracking(tx, workspaceId), read.value)
        await setTracking(tx, workspaceId, read.value)
      })
      return ok(read.value)
    },
  )
}
