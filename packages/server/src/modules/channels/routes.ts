import { masked } from '@contentflow/core/channels/configuration.ts'
import { NO_PROVIDER, type ProviderOutcome } from '@contentflow/core/channels/channel.ts'
import type { ProviderName } from '@contentflow/core/channels/providers.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/auth.ts'
import { ok, page } from '../../http/envelope.ts'
import type { ModuleRoutes, Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { changeChannel, createChannel } from './channels.ts'
import {
  ChangeChannelBody,
  ChannelSchema,
  ChannelTypeSchema,
  EmailTestBody,
  NewChannelBody,
  NotSentSchema,
  TestBody,
  TestedSchema,
} from './present.ts'
import * as queries from './queries.ts'
import type { Channels } from './send.ts'
import { testSend } from './test-send.ts'

const tags = ['Channels']
const Params = Type.Object({ id: Type.String() })
const member = { auth: 'member' } as const
const admin = { auth: 'member', role: 'admin' } as const
/** The whole text of a file of an account may be in it. */
const bodyLimit = 65_536

/** M-CHAN-01 to M-CHAN-08, G-59. */
function channelRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/notifications/channels',
    {
      config: member,
      schema: {
        tags,
        summary: 'The providers messages go out through; their secrets are masked',
        querystring: Type.Object({ ...PageQuery.properties, type: Type.Optional(ChannelTypeSchema) }),
        response: { 200: Page('channels', ChannelSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, type } = queryOf(request)
      const found = await queries.pageChannels(ctx.db, memberCaller(request).workspaceId, { type, after: cursor, limit })
      return page('channels', found, presentChannel)
    },
  )
  app.post(
    '/notifications/channels',
    {
      config: admin,
      bodyLimit,
      schema: { tags, summary: 'Connect a provider', body: NewChannelBody, response: { 201: Ok(ChannelSchema) } },
    },
    async (request, reply) => reply.code(201).send(ok(presentChannel(await createChannel(ctx, actorOf(request), bodyOf(request))))),
  )
  app.get(
    '/notifications/channels/:id',
    { config: member, schema: { tags, summary: 'A channel', params: Params, response: { 200: Ok(ChannelSchema) } } },
    async (request) => ok(presentChannel(await queries.getChannel(ctx.db, memberCaller(request).workspaceId, request.params.id))),
  )
  app.put(
    '/notifications/channels/:id',
    {
      config: admin,
      bodyLimit,
      schema: {
        tags,
        summary: 'Change a channel; members left out stay, and a masked secret sent back keeps the stored one',
        params: Params,
        body: ChangeChannelBody,
        response: { 200: Ok(ChannelSchema) },
      },
    },
    async (request) => {
      const channel = await queries.getChannel(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok(presentChannel(await changeChannel(ctx, actorOf(request), channel, bodyOf(request))))
    },
  )
  app.delete(
    '/notifications/channels/:id',
    { config: admin, schema: { tags, summary: 'Disconnect a provider', params: Params, response: { 200: Deleted } } },
    async (request) => {
      await queries.deleteChannel(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok({ deleted: true as const })
    },
  )
}

/** M-CHAN-10 to M-CHAN-14, G-60. */
function testRoutes(app: Routes, ctx: Context, channels: Channels): void {
  app.post(
    '/notifications/channels/:id/test',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Send a test message: to a number, an address or the token of a device',
        params: Params,
        body: TestBody,
        response: { 200: Type.Union([Ok(TestedSchema), NotSentSchema]) },
      },
    },
    async (request) => {
      const caller = memberCaller(request)
      const channel = await queries.getChannel(ctx.db, caller.workspaceId, request.params.id)
      return presentOutcome(channel.provider, await testSend(ctx, channels, caller, channel, bodyOf(request).to))
    },
  )
  app.post(
    '/notifications/channels/email/test',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Send a test email through the channel that emails go out through; without `to`, to yourself',
        body: EmailTestBody,
        response: { 200: Type.Union([Ok(TestedSchema), NotSentSchema]) },
      },
    },
    async (request) => {
      const caller = memberCaller(request)
      const { to } = bodyOf(request)
      const channel = await queries.findSending(ctx.db, caller.workspaceId, 'email')
      if (!channel) return { success: false as const, error: NO_PROVIDER }
      return presentOutcome(channel.provider, await testSend(ctx, channels, caller, channel, to?.trim() || caller.email))
    },
  )
}

function presentOutcome(provider: ProviderName, outcome: ProviderOutcome) {
  return outcome.kind === 'sent' ? ok({ sent: true as const, provider }) : { success: false as const, error: outcome.text }
}

function presentChannel(channel: queries.ChannelRow) {
  const { id, type, provider, name, configuration, priority, is_active, created_at, updated_at } = channel
  return {
    id,
    type,
    provider,
    name,
    configuration: masked(configuration),
    priority,
    active: is_active,
    pausedAt: channel.paused_at,
    failure: channel.failure,
    failedAt: channel.failed_at,
    sentAt: channel.sent_at,
    createdAt: created_at,
    updatedAt: updated_at,
  }
}

export const routes: ModuleRoutes<{ ctx: Context; channels: Channels }> = {
  management: (app, { ctx, channels }) => {
    channelRoutes(app, ctx)
    testRoutes(app, ctx, channels)
  },
}
