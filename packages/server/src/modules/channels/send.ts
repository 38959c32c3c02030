/** Sends one message over one channel and says what came of it. What goes wrong outside is an outcome, not an error. */
import type {
  Configuration,
  HttpProvider,
  Message,
  ProviderOutcome,
  ProviderAnswer,
  ProviderRequest,
} from '@contentflow/core/channels/channel.ts'
import { redactText } from '@contentflow/core/channels/answers.ts'
import { split } from '@contentflow/core/channels/configuration.ts'
import { httpProvider } from '@contentflow/core/channels/providers.ts'
import type { Context } from '../../context.ts'
import { OutboundError } from '../../infra/outbound/outbound.ts'
import { open } from './channels.ts'
import { openMailer } from './mail.ts'
import type { ChannelRow } from './queries.ts'
import { NoToken, openTokens, type Tokens } from './tokens.ts'
import { encryptPush } from './web-push/encrypt.ts'

type Send = (message: Message) => Promise<ProviderOutcome>
/** Made ready for many messages: nothing of it throws. */
export type Senders = {
  of(channel: ChannelRow): Send
  /** Ends the connections that were kept for the next message. */
  close(): void
}
export type Channels = {
  send(channel: ChannelRow, message: Message): Promise<ProviderOutcome>
  openSenders(): Senders
}

export function openChannels(ctx: Context): Channels {
  const tokens = openTokens(ctx)
  const openSenders = () => {
    const ready = new Map<string, Sender>()
    return {
      of: (channel: ChannelRow) => {
        const sender = ready.get(channel.id) ?? openSender(ctx, tokens, channel)
        ready.set(channel.id, sender)
        return sender.send
      },
      close: () => {
        for (const { close } of ready.values()) close()
      },
    }
  }
  return {
    send: async (channel, message) => {
      const senders = openSenders()
      try {
        return await senders.of(channel)(message)
      } finally {
        senders.close()
      }
    },
    openSenders,
  }
}

type Sender = { send: Send; close(): void }

/** What goes wrong in here is said of the message, and of the channel where it would be so for everybody. */
function openSender(ctx: Context, tokens: Tokens, channel: ChannelRow): Sender {
  const configuration = tryOpen(ctx, channel)
  if (!configuration) return { send: () => Promise.resolve({ kind: 'failed', text: UNREADABLE, pauses: true }), close: () => undefined }
  const provider = httpProvider(channel.provider)
  const { send, close } = provider
    ? { send: (message: Message) => sendHttp(ctx, tokens, { channel, provider, configuration }, message), close: () => undefined }
    : openMailer(ctx, configuration)
  const secrets = Object.values(split(configuration).secrets)
  const hiddenOf = (message: Message) => [...secrets, message.to, ...(provider?.secretsOf?.(message) ?? [])]
  return {
    send: async (message) => {
      try {
        const outcome = await send(message)
        if (outcome.kind === 'sent') return outcome
        return { ...outcome, text: redactText(outcome.text, hiddenOf(message)) || `${channel.provider} refused` }
      } catch (error) {
        ctx.log.error({ err: error, workspaceId: channel.workspace_id, id: channel.id }, 'a message could not be sent')
        return { kind: 'uncertain', text: 'This server failed' }
      }
    },
    close,
  }
}

const UNREADABLE = 'The secrets of this channel cannot be read with the keys in CF_SECRET_KEY: enter them again'

function tryOpen(ctx: Context, channel: ChannelRow): Configuration | undefined {
  try {
    return open(ctx, channel)
  } catch (error) {
    ctx.log.error({ err: error, workspaceId: channel.workspace_id, id: channel.id }, 'the secrets of a channel cannot be read')
    return undefined
  }
}

async function sendHttp(
  ctx: Context,
  tokens: Tokens,
  { channel, provider, configuration }: { channel: ChannelRow; provider: HttpProvider; configuration: Configuration },
  message: Message,
): Promise<ProviderOutcome> {
  const unasked = provider.unaskedOf?.(configuration, message)
  if (unasked !== undefined) return { kind: 'failed', text: unasked, isUnasked: true }
  const audience = provider.audienceOf?.(message) ?? ''
  const name = [channel.workspace_id, channel.id, channel.updated_at.getTime(), audience].join('/')
  const wanted = provider.tokens && {
    kind: provider.tokens,
    name,
    configuration,
    audience,
    call: (request: ProviderRequest) => callForToken(ctx, channel.workspace_id, request),
  }
  const attempt = async (): Promise<ProviderOutcome> => {
    const answer = await callProvider(
      ctx,
      channel.workspace_id,
      provider.toRequest(configuration, message, wanted ? await tokens.get(wanted) : ''),
    )
    const outcome = provider.readAnswer(answer)
    // Of many push services one that is asked too often says nothing of the others.
    const isBusy = outcome.kind === 'retry' && answer.status === 429 && provider.audienceOf === undefined
    return isBusy ? { ...outcome, isBusy } : outcome
  }
  try {
    const outcome = await attempt()
    // A token may have ended before its time: the message was not taken, so it is sent with a new one, once.
    if (!('isTokenStale' in outcome) || !wanted || !tokens.renew(wanted)) return outcome
    return await attempt()
  } catch (error) {
    if (error instanceof NoToken) return error.outcome
    if (error instanceof NoKey) return { kind: 'failed', text: error.message, isUnasked: true }
    if (!(error instanceof OutboundError)) throw error
    const outcome = withoutAnswer(error)
    return outcome.kind === 'uncertain' && provider.isRepeatable ? { kind: 'retry', text: outcome.text } : outcome
  }
}

async function callProvider(
  { outbound, clock }: Context,
  workspaceId: string,
  { url, headers, body, basic, isHttp2, encryptFor }: ProviderRequest,
): Promise<ProviderAnswer> {
  const authorization = basic && { authorization: `Basic ${Buffer.from(`${basic.name}:${basic.password}`).toString('base64')}` }
  const answer = await outbound.send({
    kind: 'channel',
    asker: workspaceId,
    method: 'POST',
    url,
    headers: { ...headers, ...authorization },
    body: encryptFor ? encrypt(body, encryptFor) : body,
    isHttp2: isHttp2 ?? false,
  })
  const single = Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return { status: answer.status, headers: Object.fromEntries(single) as ProviderAnswer['headers'], body: answer.text, at: clock.ms() }
}

/** Nothing can be encrypted with the keys that a browser, or whoever spoke for it, registered. */
class NoKey extends Error {}

function encrypt(body: string, keys: NonNullable<ProviderRequest['encryptFor']>): Uint8Array {
  try {
    return encryptPush(body, keys)
  } catch (error) {
    throw new NoKey('The keys of the subscription cannot be used', { cause: error })
  }
}

/** Without a token nothing was sent, whatever became of the call for it. */
async function callForToken(ctx: Context, workspaceId: string, request: ProviderRequest): Promise<ProviderAnswer> {
  try {
    return await callProvider(ctx, workspaceId, request)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const outcome = withoutAnswer(error)
    throw new NoToken(outcome.kind === 'uncertain' ? { kind: 'retry', text: outcome.text, after: 60 } : outcome)
  }
}

function withoutAnswer({ outcome, message, isUnsent }: OutboundError): ProviderOutcome {
  if (outcome === 'refused') return { kind: 'failed', text: message, pauses: true }
  return isUnsent ? { kind: 'retry', text: message, after: 60 } : { kind: 'uncertain', text: message }
}
