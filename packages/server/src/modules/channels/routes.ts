import { masked } from '@contentflow/core/channels/configuration.ts'
import { NO_PROVIDER, type ProviderOutcome } from '@contentflow/core/channels/channel.ts'
import type { ProviderName } from '@contentflow/core/channels/providers.ts'
import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import type { Context } from '../../context.ts'
import { actorOf, appCaller, memberCaller } from '../../http/callers/auth.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Nullable, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { changeChannel, createChannel } from './channels.ts'
import { checkDomain } from './check-domain.ts'
import {
  ChangeChannelBody,
  ChannelSchema,
  CheckDomainBody,
  DomainCheckSchema,
  EmailTestBody,
  NewChannelBody,
  NotSentSchema,
  TestBody,
  TestedSchema,
} from './present.ts'
import * as queries from './queries.ts'
import type { Channels } from './send.ts'
import { testSend } from './test-send.ts'
import { findWebKey } from './web-push/keys.ts'

const route = routeIn('Channels')
const pushRoute = routeIn('Push')
const Params = pathOf({ id: 'The id of the channel' })
/** The whole text of a file of an account may be in it. */
const bodyLimit = 65_536

/** M-CHAN-01 to M-CHAN-08, G-59. */
function channelRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/notifications/channels',
    route({
      id: 'listChannels',
      auth: 'member',
      permission: 'channels:read',
      summary: 'The providers messages go out through; their secrets are masked',
      description: 'Lists the connected providers, the oldest first, with the priority of each, whether it rests, and its last failure.',
      query: Type.Object({
        ...PageQuery.properties,
        type: Type.Optional(Type.Enum([...CHANNEL_TYPES], { description: 'Channels of this type' })),
      }),
      out: Page('channels', ChannelSchema),
    }),
    async (request) => {
      const { limit, cursor, type } = queryOf(request)
      const found = await queries.pageChannels(ctx.db, memberCaller(request).workspaceId, { type, after: cursor, limit })
      return page('channels', found, presentChannel)
    },
  )
  app.post(
    '/notifications/channels',
    route({
      id: 'connectChannel',
      auth: 'member',
      permission: 'channels:manage',
      summary: 'Connect a provider',
      description:
        'Connects a provider with its credentials, which are encrypted and never shown again. Of several active channels of a type the highest `priority` sends.',
      body: NewChannelBody,
      out: { 201: Ok(ChannelSchema) },
      bodyLimit,
      refuses: ['CHANNEL_LIMIT'],
    }),
    async (request, reply) => reply.code(201).send(ok(presentChannel(await createChannel(ctx, actorOf(request), bodyOf(request))))),
  )
  app.get(
    '/notifications/channels/:id',
    route({
      id: 'getChannel',
      auth: 'member',
      permission: 'channels:read',
      summary: 'A channel',
      description: 'Answers one channel with its settings and its last failure; secrets are shown as `********`.',
      params: Params,
      out: Ok(ChannelSchema),
    }),
    async (request) => ok(presentChannel(await queries.getChannel(ctx.db, memberCaller(request).workspaceId, request.params.id))),
  )
  app.put(
    '/notifications/channels/:id',
    route({
      id: 'updateChannel',
      auth: 'member',
      permission: 'channels:manage',
      summary: 'Change a channel; members left out stay, and a masked secret sent back keeps the stored one',
      description:
        'Changes name, priority, settings or whether it is active. Secrets have to be entered anew when the address they are sent to changes. Other keys of web push are refused with KEYS_IN_USE while browsers subscribed with the present ones, unless `replaceKeys` is sent.',
      params: Params,
      body: ChangeChannelBody,
      out: Ok(ChannelSchema),
      bodyLimit,
      refuses: ['KEYS_IN_USE'],
    }),
    async (request) => {
      const channel = await queries.getChannel(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok(presentChannel(await changeChannel(ctx, actorOf(request), channel, bodyOf(request))))
    },
  )
  app.delete(
    '/notifications/channels/:id',
    route({
      id: 'disconnectChannel',
      auth: 'member',
      permission: 'channels:manage',
      summary: 'Disconnect a provider',
      description: 'Deletes the channel with its secrets. Messages go out through the next active one of its type, or not at all.',
      params: Params,
      out: Deleted,
    }),
    async (request) => {
      const by = actorOf(request)
      await ctx.change(by, ({ tx }) => queries.deleteChannel(tx, by.workspaceId, request.params.id))
      return ok({ deleted: true as const })
    },
  )
}

/** M-CHAN-10 to M-CHAN-14, G-60. */
function testRoutes(app: Routes, ctx: Context, channels: Channels): void {
  app.post(
    '/notifications/channels/:id/test',
    route({
      id: 'testChannel',
      callsOut: true,
      auth: 'member',
      permission: 'channels:manage',
      summary: 'Send a test message: to a number, an address or the token of a device',
      description:
        'Sends one message through this provider, without asking for consent. When the provider refuses, the answer is 200 with `success: false` and its own words.',
      params: Params,
      body: TestBody,
      out: Type.Union([Ok(TestedSchema), NotSentSchema]),
      refuses: ['CHANNEL_TEST_RATE_LIMITED'],
    }),
    async (request) => {
      const caller = memberCaller(request)
      const channel = await queries.getChannel(ctx.db, caller.workspaceId, request.params.id)
      return presentOutcome(channel.provider, await testSend(ctx, channels, caller, channel, bodyOf(request).to))
    },
  )
  app.post(
    '/notifications/channels/:id/check-domain',
    route({
      id: 'checkChannelDomain',
      auth: 'member',
      permission: 'channels:manage',
      summary: 'Ask how the domain of the sender is set up for mail: SPF, DKIM, DMARC, each with what to do',
      description:
        'Looks up the records of the domain that the channel sends from and answers for each whether it is right and what to set. Nothing is changed. Some checks are allowed in a few minutes.',
      params: Params,
      body: CheckDomainBody,
      out: Ok(DomainCheckSchema),
      refuses: ['CHECK_RATE_LIMITED'],
    }),
    async (request) => {
      const { workspaceId, accountId } = memberCaller(request)
      const channel = await queries.getChannel(ctx.db, workspaceId, request.params.id)
      return ok(await checkDomain(ctx, channel, { accountId, selector: bodyOf(request).selector }))
    },
  )
  app.post(
    '/notifications/channels/email/test',
    route({
      id: 'testEmail',
      callsOut: true,
      auth: 'member',
      permission: 'channels:manage',
      summary: 'Send a test email through the channel that emails go out through; without `to`, to yourself',
      description:
        'Sends one email through the active email channel of highest priority. When there is none, or the provider refuses, the answer is 200 with `success: false` and the reason.',
      body: EmailTestBody,
      out: Type.Union([Ok(TestedSchema), NotSentSchema]),
      refuses: ['CHANNEL_TEST_RATE_LIMITED'],
    }),
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

/** Decision 67. */
function webKeyRoute(app: Routes, ctx: Context): void {
  app.get(
    '/push/web-key',
    pushRoute({
      id: 'getWebPushKey',
      auth: 'app',
      summary: 'The key that browsers subscribe to push messages with; null while no channel of web push is active',
      description: 'Answers the public key that a page hands to the browser when it subscribes to push messages.',
      out: Ok(Nullable(Type.Object({ publicKey: Type.String() }, { title: 'WebPushKey' }))),
    }),
    async (request) => {
      const publicKey = await findWebKey(ctx.db, appCaller(request).workspaceId)
      return ok(publicKey === null ? null : { publicKey })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context; channels: Channels }> = {
  client: (app, { ctx }) => webKeyRoute(app, ctx),
  management: (app, { ctx, channels }) => {
    channelRoutes(app, ctx)
    testRoutes(app, ctx, channels)
  },
}
