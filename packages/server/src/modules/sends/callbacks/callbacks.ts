/** What providers tell of messages that left: into the ledger, and to the person's contact or consent. */
import { isCallbackProvider, readCallback, type CallbackProvider, type ProviderReceipt } from '@contentflow/core/channels/callbacks.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { hashSecret } from '../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { getChannel, isFromProvider, openConfiguration, signedOnce, type ChannelRow } from '../../channels/index.ts'
import { applyReceipts, type ContactReport } from '../close-contacts.ts'
import { keepCall } from './queries-calls.ts'
import { dropToken, findTold, noteTold } from '../dispatch/queries-ledger.ts'
import { withdraw } from '../unsubscribe/unsubscribe.ts'

const USED = 'Another body came with this signature before'
export const UNSIGNED = 'This call is not signed by the provider of the channel'

export type CallbackRequest = {
  provider: string
  workspaceId: string
  channelId: string
  headers: ReadonlyMap<string, string>
  body: Buffer
}

/** Undefined: nobody said where this server is reached (CF_PUBLIC_URL), or the provider is not told with each message. */
export function callbackUrls({ config }: Context, workspaceId: string): ((channel: ChannelRow) => string | undefined) | undefined {
  if (config.publicUrl === '') return undefined
  return ({ provider, id }) =>
    provider === 'twilio' || provider === 'twilio-whatsapp' ? config.publicUrl + callbackPath(provider, workspaceId, id) : undefined
}

export function callbackPath(provider: string, workspaceId: string, channelId: string): string {
  return `/api/v1/callbacks/${provider}/${workspaceId}/${channelId}`
}

/** Whose call it can be, before its body is read. Throws 403 and 404: for another provider, and for a channel that is not there. */
export async function findCaller({ db }: Context, { provider, workspaceId, channelId }: Omit<CallbackRequest, 'headers' | 'body'>) {
  if (!isCallbackProvider(provider)) failWith(403, UNSIGNED)
  const channel = await getChannel(db, workspaceId, channelId)
  return channel.provider === provider ? { provider, channel } : failWith(403, UNSIGNED)
}

/** Throws 403 when the provider did not sign it, also where nobody said what it signs with. */
export async function takeCallback(ctx: Context, called: CallbackRequest): Promise<void> {
  const { workspaceId, channelId, headers, body } = called
  const { provider, channel } = await findCaller(ctx, called)
  const url = ctx.config.publicUrl + callbackPath(provider, workspaceId, channelId)
  if (!isFromProvider(provider, openConfiguration(ctx, channel), { headers, body, url, at: ctx.clock.ms() })) failWith(403, UNSIGNED)
  if (!(await isFirst(ctx, called, provider))) failWith(403, USED)
  const heard: ContactReport[] = []
  for (const told of readCallback(provider, body.toString())) heard.push(...(await note(ctx, channel, told)))
  // Without a bounce, now or before, there is no row of bounces to end.
  if (heard.some(({ kind }) => kind === 'gone') || channel.bounced_in_a_row > 0) await applyReceipts(ctx, channel, 'callback', heard)
}

/** Whether a call whose body its signature says nothing of is new, or the very same one sent again. */
async function isFirst(
  ctx: Context,
  { workspaceId, channelId, headers, body }: CallbackRequest,
  provider: CallbackProvider,
): Promise<boolean> {
  const signed = signedOnce(provider, { headers, body })
  if (!signed) return true
  const own = hashSecret(body.toString('latin1'))
  const call = { workspaceId, channelId, signed: hashSecret(signed.text), body: own, expiresAt: new Date(signed.untilMs) }
  return (await inTransaction(ctx.db, async (tx) => keepCall(tx, call, ctx.clock.now()))) === own
}

/** What the receipt says about the contact. A bounce that was reported before says nothing. */
async function note(ctx: Context, channel: ChannelRow, told: ProviderReceipt): Promise<ContactReport[]> {
  const { workspace_id: workspaceId, type, provider } = channel
  if (told.what === 'bounced' && told.token !== undefined) await dropToken(ctx.db, workspaceId, hashSecret(told.token), provider)
  const send = await findTold(ctx.db, workspaceId, told)
  if (!send || send.channel !== type) return []
  const now = ctx.clock.now()
  const isNew = await noteTold(ctx.db, workspaceId, send, told.what, now)
  const { profile_id: profileId } = send
  if (told.what === 'complained' || told.what === 'left') await withdraw(ctx, { workspaceId, profileId }, type)
  if (told.what === 'failed' || type === 'push') return []
  if (told.what === 'bounced') return isNew ? [{ kind: 'gone', profileId, text: told.text }] : []
  return [{ kind: 'reached' }]
}
