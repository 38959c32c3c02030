/** Test messages: one fixed text through the live provider, so that whoever connected it sees that it arrives (G-60). */
import { randomUUID } from 'node:crypto'
import { isAddress } from '@contentflow/core/channels/senders.ts'
import type { ProviderOutcome } from '@contentflow/core/channels/channel.ts'
import { looksLikeSubscription } from '@contentflow/core/channels/web-push/subscription.ts'
import { mendEmail } from '@contentflow/core/identity/contact.ts'
import { readStored } from '@contentflow/core/channels/configuration.ts'
import { httpProvider } from '@contentflow/core/channels/providers.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { spendTry } from './spend-try.ts'
import type { ChannelRow } from './queries.ts'
import type { Channels } from './send.ts'

/** Short enough for one text message, with Arabic in it, so that its letters are seen to arrive too. */
const TEST = { title: 'ContentFlow', body: 'This channel works. هذه القناة تعمل.' }

type Tester = { accountId: string }

/** M-CHAN-10. */
export async function testSend(
  ctx: Context,
  channels: Channels,
  { accountId }: Tester,
  channel: ChannelRow,
  sent: string | undefined,
): Promise<ProviderOutcome> {
  const to = readRecipient(channel, sent)
  const lack = lackOf(channel)
  if (lack !== undefined) return { kind: 'failed', text: lack }
  await spendTry(ctx, 'channel-test', accountId)
  return channels.send(channel, { id: randomUUID(), to, ...TEST })
}

/** Why it cannot be called yet: a channel that a document made has no secrets. */
function lackOf({ provider, configuration }: ChannelRow): string | undefined {
  const read = readStored(provider, configuration)
  return read.ok ? httpProvider(provider)?.lackOf?.(configuration) : read.error
}

/** Whom a message of this type can go to: an address, a number in international form, the token of a device. */
function readRecipient({ type, provider }: ChannelRow, sent: string | undefined): string {
  const to = sent?.trim() ?? ''
  const address = mendEmail(to)
  if (type === 'email') return isAddress(address) ? address : failWith(400, 'to must be an email address')
  if (type === 'push' && (provider === 'web_push') !== looksLikeSubscription(to))
    failWith(400, provider === 'web_push' ? 'to must be the subscription of a browser, as JSON' : 'to must be the push token of a device')
  if (type === 'push') return /^[\x21-\x7e]+$/.test(to) ? to : failWith(400, 'to must be the push token of a device')
  return /^\+[1-9]\d{6,14}$/.test(to) ? to : failWith(400, 'to must be a phone number in international form, such as +966500000000')
}
