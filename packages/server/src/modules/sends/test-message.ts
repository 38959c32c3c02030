/** The message as it will be, to people who are named for it: marked, except where a template has its words; no part of the ledger. */
import { randomUUID } from 'node:crypto'
import { NO_PROVIDER, type ChannelType } from '@contentflow/core/channels/channel.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { exampleAttributes } from '@contentflow/core/mail/products/products.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import { skipReasonFor, composeFor, contactOf, type MessageSettings, type Recipient } from '@contentflow/core/messages/judge.ts'
import { tokensOfMessage } from '@contentflow/core/messages/message-tokens.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'
import { listSending, spendTry, type ChannelRow, type Channels } from '../channels/index.ts'
import { findWebAddress } from '../links/index.ts'
import { findPerson } from '../people/index.ts'
import { findSettings } from './queries.ts'
import { listInstalls } from './dispatch/queries-ledger.ts'
import { pageShown, shownPreferencesUrl } from './unsubscribe/preference-links.ts'
import { shownUnsubscribeUrl } from './unsubscribe/unsubscribe.ts'
import { channelFor } from './dispatch/send-one.ts'
import { withSegments } from './queries-mail-segments.ts'
import { findRecipient } from './queries-recipients.ts'

type Tester = Pick<MemberCaller, 'accountId' | 'name' | 'email'>
/** `userId`: null is the tester. */
export type TestSend = { userId: string | null; channel: ChannelType; sent: boolean; reason?: string }
type Parts = { ctx: Context; channels: Channels }
type Tested = {
  content: LocalizedContent
  mail?: MailDocument | undefined
  channels: readonly ChannelType[]
  sourceId: string
  /** The language to send it in; each person's own when left out. */
  locale?: string | undefined
  /** As if this variant were everybody's; undefined: each gets their own. */
  variantId?: string | undefined
  /** For a test to oneself: the person whose values fill the tokens; without one, an example fills each. */
  as?: string | undefined
  values?: { [token: string]: string } | undefined
  /** Of a journey, whose messages may say something of events: an example fills that, or it stands as it is written. */
  hasEvents?: boolean
}

const MARK = '[Test] '

/** To each of these people over each of the channels; 'me': by email, to the tester, with whatever is not known of them left as it is written. */
export async function sendTest(parts: Parts, tester: MemberCaller, to: 'me' | readonly string[], tested: Tested): Promise<TestSend[]> {
  const { ctx } = parts
  const { workspaceId } = tester
  if (to === 'me' && tester.ownerId !== undefined) failWith(400, 'to: a service account has no address; name people')
  await spendTry(ctx, 'campaign-test', tester.accountId)
  const { sourceLocale, linkSchemes, brand } = await findSettings(ctx.db, workspaceId)
  const webAddress = await findWebAddress(ctx.db, workspaceId)
  const unsubscribeUrl = await shownUnsubscribeUrl(ctx, tester)
  const footerPage = await shownPreferencesUrl(ctx, tester)
  const preferencesUrl = await pageShown(ctx, tester, tested)
  const tried: TestSend[] = []
  for (const channel of to === 'me' ? (['email'] as const) : tested.channels) {
    const active = await listSending(ctx.db, workspaceId, channel)
    for (const userId of to === 'me' ? [null] : to) {
      const person =
        userId === null ? await recipientOfTester(ctx, tester, tested) : await recipientOfUser(ctx, workspaceId, userId, tested.mail)
      const recipient = person && { ...person, ...eventsOf(tested), locale: tested.locale ?? person.locale }
      const said = {
        content: tested.content,
        mail: tested.mail,
        sourceId: tested.sourceId,
        variantId: tested.variantId,
        sourceLocale,
        linkSchemes,
        brand,
        webAddress,
        unsubscribeUrl,
        footerPage,
        preferencesUrl,
        tester: userId === null ? tester.email : undefined,
      }
      tried.push({ userId, channel, ...(await tryOne(parts, { workspaceId, channel, active, recipient }, said)) })
    }
  }
  return tried
}

/** `tester`: the address of a test to oneself, which was looked at when the account was opened. */
type TestMessageInput = MessageSettings & {
  content: LocalizedContent
  mail: MailDocument | undefined
  sourceId: string
  variantId: string | undefined
  webAddress: string | null
  unsubscribeUrl: string | undefined
  footerPage: string | undefined
  tester: string | undefined
}

type TestTarget = { workspaceId: string; channel: ChannelType; active: readonly ChannelRow[]; recipient: Recipient | undefined }

async function tryOne(
  { ctx, channels }: Parts,
  { workspaceId, channel, active, recipient }: TestTarget,
  said: TestMessageInput,
): Promise<{ sent: boolean; reason?: string }> {
  const not = (reason: string) => ({ sent: false, reason })
  const [first] = active
  if (!first) return not(NO_PROVIDER)
  if (!recipient) return not('no_profile')
  const providers = active.map(({ provider }) => provider)
  const [install] = channel === 'push' ? ((await listInstalls(ctx.db, workspaceId, [recipient], providers)).get(recipient.id) ?? []) : []
  const bar = said.tester === undefined && skipReasonFor(channel, { ...recipient, hasPushToken: install !== undefined }, undefined)
  if (bar) return not(bar)
  const composed = composeFor(recipient, { ...said, channel, now: ctx.clock.ms() }, hash32)
  if (!composed.ok) return not(composed.reason)
  const content = { ...composed.content, title: MARK + (composed.content.title ?? '') }
  const message = toMessage(channel, content, {
    id: randomUUID(),
    to: said.tester ?? install?.token ?? contactOf(channel, recipient) ?? '',
    toName: recipient.name,
    language: composed.locale,
    unsubscribeUrl: said.unsubscribeUrl,
    preferencesUrl: said.footerPage,
    pageUrl: composed.pageUrl,
    callbackUrl: undefined,
    webAddress: said.webAddress,
    mail: composed.mail,
  })
  const outcome = await channels.send((install && channelFor(active, install)) ?? first, message)
  return outcome.kind === 'sent' ? { sent: true } : not(outcome.text)
}

async function recipientOfUser(
  { db }: Context,
  workspaceId: string,
  userId: string,
  mail: MailDocument | undefined,
): Promise<Recipient | undefined> {
  const person = await findPerson(db, workspaceId, 'live', userId)
  const recipient = person && (await findRecipient(db, workspaceId, person.id))
  return recipient && (await withSegments(db, workspaceId, mail, [recipient]))[0]
}

/** The tester, as the person whose values were asked for would read it. */
async function recipientOfTester(ctx: Context, tester: MemberCaller, tested: Tested): Promise<Recipient | undefined> {
  return tested.as === undefined ? recipientOf(tester, tested) : recipientOfUser(ctx, tester.workspaceId, tested.as, tested.mail)
}

function examplesOf({ content, mail, values = {} }: Pick<Tested, 'content' | 'mail' | 'values'>) {
  const examples = new Map(Object.entries(values))
  const exampleOf = (token: string) => examples.get(token) ?? `{{${token}}}`
  const named = tokensOfMessage({ content, mail })
  const written = (kind: string) =>
    Object.fromEntries(named.flatMap((token) => (token.startsWith(`${kind}.`) ? [[token.slice(kind.length + 1), exampleOf(token)]] : [])))
  return { exampleOf, written }
}

/** Nobody's event is at hand. */
function eventsOf(tested: Tested): Pick<Recipient, 'event' | 'lastEvent'> {
  if (!tested.hasEvents) return {}
  const { written } = examplesOf(tested)
  return { event: written('event'), lastEvent: written('lastEvent') }
}

/** A tester is nobody's customer: tokens about customers without an example stand as they are written. */
function recipientOf({ accountId, name, email }: Tester, { content, mail, values = {} }: Tested): Recipient {
  const { exampleOf, written } = examplesOf({ content, mail, values })
  return {
    id: accountId,
    userId: exampleOf('userId'),
    name: name || exampleOf('name'),
    email,
    phone: exampleOf('phone'),
    customAttributes: { ...(mail && exampleAttributes(mail).customAttributes), ...written('customAttributes') },
    enrichment: written('enrichment'),
    channels: { email: true },
    topics: {},
    personalOptOut: false,
    locale: Object.keys(content)[0] ?? null,
    hasPushToken: false,
    closed: {},
    isFirstMail: false,
    isMailUnconfirmed: false,
    segments: 'all',
    tracking: null,
    whatsappUntil: null,
  }
}
