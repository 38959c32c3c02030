import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { AskedSchema, bodyOf, CodeSent, Empty, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { NO_PROVIDER, type ChannelType } from '@contentflow/core/channels/channel.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail } from '@contentflow/core/mail/library/put-parts.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import { ANY_LOCALE, faultOfMessage, type MessageContent } from '@contentflow/core/messages/content.ts'
import { linksOfMail, linksOfMessage } from '@contentflow/core/messages/links.ts'
import { sendCode } from '../approvals/index.ts'
import { refuseLinks } from '../links/index.ts'
import { refuseTopics } from '../topics/index.ts'
import { freezeParts, refuseUnknownParts } from '../mails/index.ts'
import { findPerson } from '../people/index.ts'
import { fillProducts } from '../content/index.ts'
import { fillFromCatalog } from '../strings/index.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { sendOrAsk } from './gate.ts'
import { sendToPerson, type OneOff } from './one-off.ts'
import { NotSentSchema, PersonAnswer, PersonBody, presentSend, SegmentAnswer, SegmentBody, SendSchema } from './present.ts'
import { findSegment } from './queries.ts'
import { pageSends } from './dispatch/queries-ledger.ts'
import { confirmEmailRoutes } from './confirm-email/routes-confirm-email.ts'
import { firstMessageRoutes } from './first-messages/routes-first-messages.ts'
import { renderRoutes } from './routes-render.ts'
import { refuseUnsendable } from './addresses/check-sending.ts'
import { webAddressRoutes } from './addresses/routes-web-address.ts'
import { callbackRoutes } from './callbacks/routes-callbacks.ts'
import { inboundRoutes } from './inbound/routes-inbound.ts'
import { unsubscribeRoutes } from './unsubscribe/routes-unsubscribe.ts'

const route = routeIn('Sends')
const notSent = { success: false as const, error: NO_PROVIDER }

function toCheck({ channel, content, mail }: OneOff) {
  return { channels: [channel], content: { [ANY_LOCALE]: content }, mail }
}

/** M-NOTIF, G-61. */
function oneOffRoutes(app: Routes, dispatcher: Dispatcher): void {
  const { ctx, channels } = dispatcher
  app.post(
    '/notifications',
    route({
      id: 'sendMessage',
      auth: 'member',
      permission: 'messages:send',
      summary: 'Send a message to one person now; by email it may be a mail of sections',
      description:
        'Sends one message over one channel to one person of the live environment, at once, if they agreed to that channel. A person who does not get it is answered 200 with the reason. Without a connected provider the answer is `success: false`.',
      body: PersonBody,
      out: Type.Union([Ok(PersonAnswer), NotSentSchema]),
      bodyLimit: BODY_BYTES.message,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WEB_ADDRESS_NEEDED', 'PUSH_TOO_LARGE', 'MAIL_NOT_READY'],
    }),
    async (request) => {
      const { userId, ...written } = bodyOf(request)
      const message = await readOneOff(ctx, actorOf(request).workspaceId, written)
      await refuseUnsendable(ctx.db, memberCaller(request).workspaceId, toCheck(message))
      const sent = await sendToPerson(dispatcher, actorOf(request), userId, message)
      return sent ? ok(sent) : notSent
    },
  )
  app.post(
    '/notifications/segment/:id',
    route({
      id: 'sendMessageToSegment',
      auth: 'member',
      permission: 'messages:send',
      summary: 'Send a message to everybody in a segment now; by email it may be a mail of sections',
      description:
        'Sends one message to everybody who is in the segment now. Those who do not get it are counted by reason. Where messages take a second person it is filed as a request (202 with `requestId`); where launch protection is on, it takes an admin or a one-time code.',
      params: Type.Object({ id: Type.String({ description: 'Id or name of the segment' }) }),
      body: SegmentBody,
      out: { 200: NotSentSchema, 202: Type.Union([Ok(SegmentAnswer), Ok(AskedSchema)]) },
      bodyLimit: BODY_BYTES.message,
      refuses: [
        'LINK_SCHEME_NOT_ALLOWED',
        'ADDRESS_NOT_PROVED',
        'LAUNCH_ADMIN_REQUIRED',
        'LAUNCH_OTP_REQUIRED',
        'WEB_ADDRESS_NEEDED',
        'PUSH_TOO_LARGE',
        'MAIL_NOT_READY',
      ],
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const segment = (await findSegment(ctx.db, caller.workspaceId, request.params.id)) ?? failWith(404, 'segment not found')
      const { otp, ...written } = bodyOf(request)
      const message = await readOneOff(ctx, caller.workspaceId, written)
      await refuseUnsendable(ctx.db, caller.workspaceId, toCheck(message))
      const outcome = await sendOrAsk(dispatcher, caller, segment, message, otp)
      if (!outcome) return reply.code(200).send(notSent)
      const { sent, asked } = outcome
      return reply.code(202).send(asked ? ok(asked) : ok({ ...sent, skipped: Object.fromEntries(sent.skipped) }))
    },
  )
  app.post(
    '/notifications/segment/:id/launch-otp',
    route({
      id: 'sendMessageCode',
      callsOut: true,
      auth: 'member',
      permission: 'messages:read',
      summary: 'Have a one-time code sent to your email, to send a message to this segment',
      description:
        'Sends a code to your own address, to be sent as `otp` with the message to this segment. It is needed only where launch protection asks for one.',
      params: Type.Object({ id: Type.String({ description: 'Id or name of the segment' }) }),
      body: Empty,
      out: { 202: Ok(Type.Object({ segmentId: Type.String(), ...CodeSent })) },
      refuses: ['LAUNCH_OTP_RATE_LIMITED', 'LAUNCH_OTP_UNAVAILABLE'],
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const segment = (await findSegment(ctx.db, caller.workspaceId, request.params.id)) ?? failWith(404, 'segment not found')
      return reply
        .code(202)
        .send(ok({ segmentId: segment.id, ...(await sendCode(ctx, channels, caller, { kind: 'segment', ...segment })) }))
    },
  )
}

/** What its schema cannot say. What waits for a second person after this is sent as it was judged here. */
async function readOneOff({ db }: Context, workspaceId: string, sent: SentOneOff): Promise<OneOff> {
  const { channel, content = {}, topic } = sent
  const written = sent.mail === undefined ? [] : [readDesigned(sent.mail, channel)]
  await refuseUnknownParts(db, workspaceId, 'mail', written[0])
  const [filled] = await fillProducts(db, workspaceId, await fillFromCatalog(db, workspaceId, written))
  const frozen = filled ? await freezeParts(db, workspaceId, filled) : []
  const mail = filled && wholeMail(filled, frozen)
  const needsBody = mail === undefined && (channel !== 'whatsapp' || !content.whatsappTemplate)
  if (needsBody && content.body === undefined) failWith(400, 'content.body is required')
  const fault = faultOfMessage('content', content)
  if (fault !== undefined) failWith(400, fault)
  await refuseLinks({ tx: db, workspaceId }, [...linksOfMessage('content', content), ...linksOfMail('mail', mail)])
  await refuseTopics(db, workspaceId, [{ topic, channels: [channel], at: 'topic' }])
  return { channel, content, mail, parts: frozen.map(({ id, name, version }) => ({ id, name, version })), topic }
}

function readDesigned(sent: object, channel: ChannelType): MailDocument {
  if (channel !== 'email') failWith(400, `mail is sent by email alone, and channel is ${channel}`)
  const read = readMail('mail', sent)
  return read.ok ? read.value : failWith(400, read.error)
}

type SentOneOff = { channel: ChannelType; content?: MessageContent; mail?: object; topic?: string }

const SendsQuery = Type.Object({
  ...PageQuery.properties,
  userId: Type.Optional(Type.String({ description: 'A user id, or the device id of an anonymous person' })),
  source: Type.Optional(
    Type.Enum(['campaign', 'journey', 'notification'], { description: 'What sent it; notification: a one-off message' }),
  ),
  sourceId: Type.Optional(Type.String({ description: 'Of the campaign or journey' })),
  state: Type.Optional(Type.Enum(['due', 'sending', 'sent', 'failed', 'skipped'], { description: 'Messages in this state' })),
})

function ledgerRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/sends',
    route({
      id: 'listSends',
      auth: 'member',
      permission: 'messages:read',
      summary: 'What was sent to a person, or of a campaign or journey, or was not, and why; newest first',
      description:
        'Lists entries of the ledger of messages: for each person, message and channel what became of it, when, and over which provider. `userId` or `sourceId` is required.',
      query: SendsQuery,
      out: Page('sends', SendSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId, source, sourceId, state, limit, cursor } = queryOf(request)
      if (userId === undefined && sourceId === undefined)
        failWith(400, 'Say userId or sourceId: whose messages, or those of which campaign')
      const person = userId === undefined ? undefined : await findPerson(ctx.db, workspaceId, 'live', userId)
      if (userId !== undefined && !person) failWith(404, 'person not found')
      const found = await pageSends(ctx.db, workspaceId, { profileId: person?.id, source, sourceId, state }, { after: cursor, limit })
      return page('sends', found, presentSend)
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context; dispatcher: Dispatcher }> = {
  management: (app, { ctx, dispatcher }) => {
    oneOffRoutes(app, dispatcher)
    ledgerRoutes(app, ctx)
    renderRoutes(app, ctx)
    unsubscribeRoutes(app, ctx)
    firstMessageRoutes(app, ctx)
    webAddressRoutes(app, ctx)
    confirmEmailRoutes(app, ctx)
    callbackRoutes(app, ctx)
    inboundRoutes(app, ctx)
  },
}
