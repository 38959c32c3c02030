/** A message that a person wrote to a number of the workspace: kept, and STOP, START and HELP done. */
import { consentChanges, decideChannels, type Channels } from '@contentflow/core/identity/consent/consent.ts'
import { readTwilioInbound, twilioAnswer, type InboundMessage } from '@contentflow/core/messages/inbound.ts'
import { formIn } from '@contentflow/core/channels/callbacks.ts'
import { textOf } from '@contentflow/core/channels/channel.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { aboutPerson } from '../../../infra/concurrency/limiters.ts'
import { hashUuid } from '../../../infra/secrets/crypto.ts'
import { isFromProvider, openConfiguration, type ChannelRow } from '../../channels/index.ts'
import { appendLedger, findSubjectSalt, hashPhone, lockNamed, openWindow, patchProfile, subjectOfPerson } from '../../people/index.ts'
import { changePeople, type PeopleChange } from '../../segments/index.ts'
import { callbackPath, findCaller, UNSIGNED, type CallbackRequest } from '../callbacks/callbacks.ts'
import { withdraw } from '../unsubscribe/unsubscribe.ts'
import {
  dropMessages,
  findLastDecision,
  hasInbound,
  insertInbound,
  listPeopleOf,
  listWorkspacesWithOldMessages,
  noteHeard,
} from './queries-inbound.ts'

/** The origin of what people decide by a text message. */
const INBOUND = 'inbound'

/** The answer for the provider. Throws 403 and 404 as callbacks do; only Twilio hands messages of people over. */
export async function takeInbound(ctx: Context, called: CallbackRequest): Promise<string> {
  const { workspaceId, channelId, headers, body } = called
  const { provider, channel } = await findCaller(ctx, called)
  if (provider !== 'twilio' && provider !== 'twilio-whatsapp') failWith(403, UNSIGNED)
  const configuration = openConfiguration(ctx, channel)
  const url = `${ctx.config.publicUrl}${callbackPath(provider, workspaceId, channelId)}/inbound`
  if (!isFromProvider(provider, configuration, { headers, body, url, at: ctx.clock.ms() })) failWith(403, UNSIGNED)
  const message = readTwilioInbound(formIn(body.toString()))
  if (!message) return twilioAnswer(undefined)
  if (channel.type === 'whatsapp') await noteHeard(ctx.db, workspaceId, ctx.clock.now())
  await keepForAll(ctx, channel, message)
  const help = message.keyword === 'help' && !message.isAnswered ? textOf(configuration, 'helpText') : ''
  return twilioAnswer(help === '' ? undefined : help)
}

/** For how long WhatsApp takes free texts to whoever wrote, milliseconds. */
const WINDOW_MS = DAY_MS

/** People of one number that are read at once. */
const PAGE = 100

/** Of several people with one number all of them wrote: nobody can tell which, and whoever said STOP must get no more. */
async function keepForAll(ctx: Context, channel: ChannelRow, message: InboundMessage): Promise<void> {
  const number = hashPhone(message.from) ?? ''
  for (let after = ''; ;) {
    const people = await listPeopleOf(ctx.db, channel.workspace_id, number, { after, limit: PAGE })
    for (const profileId of people) await keep(ctx, channel, message, profileId)
    if (people.length < PAGE) return
    after = people.at(-1) ?? ''
  }
}

/** A message that is told again is done once: a STOP that comes late must not undo a START. */
async function keep(ctx: Context, channel: ChannelRow, message: InboundMessage, profileId: string): Promise<void> {
  const { workspace_id: workspaceId, id: channelId } = channel
  const type = channel.type === 'whatsapp' ? 'whatsapp' : 'sms'
  const { keyword, body } = message
  const stored = { id: hashUuid(`${channelId}/${message.id}/${profileId}`), channelId, channel: type, profileId, keyword, body } as const
  if (await hasInbound(ctx.db, workspaceId, stored.id)) return
  // What people decide is done before it is noted as done: a process that dies between the two is told again.
  if (keyword === 'stop') await withdraw(ctx, { workspaceId, profileId }, type, INBOUND)
  if (keyword === 'start') await comeBack(ctx, { workspaceId, profileId }, type)
  if (type === 'whatsapp') await openWindow(ctx.db, { workspaceId, profileId }, new Date(ctx.clock.ms() + WINDOW_MS))
  await insertInbound(ctx.db, workspaceId, stored, ctx.clock.now())
}

/** Takes back what STOP withdrew, and no other no: neither one said elsewhere before nor since. It agrees to nothing new. */
async function comeBack(ctx: Context, of: { workspaceId: string; profileId: string }, channel: 'sms' | 'whatsapp'): Promise<void> {
  const { workspaceId, profileId } = of
  const agree = async ({ tx, now, changed }: PeopleChange) => {
    const profile = await lockNamed(tx, workspaceId, profileId)
    if (!profile) return
    const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
    const last = await findLastDecision(tx, { workspaceId, environment: profile.environment, subject }, channel)
    if (last?.source !== INBOUND || last.newValue !== false) return
    const before = { channels: profile.channels as Channels, saved: profile.saved_channels as Channels | null }
    const after = decideChannels(before, { [channel]: true })
    await patchProfile(tx, workspaceId, profile.id, {
      channels: JSON.stringify(after.channels),
      saved_channels: after.saved && JSON.stringify(after.saved),
      updated_at: now,
    })
    const decided = [{ subject, changes: consentChanges(before, after) }]
    await appendLedger(tx, { workspaceId, environment: profile.environment }, decided, { source: INBOUND, keyId: INBOUND })
    changed(profile.id)
  }
  await ctx.limiters.clientWrites(workspaceId, aboutPerson({ profileId }), () =>
    changePeople(ctx, { workspaceId, actor: INBOUND, isBrief: true }, agree),
  )
}

/** How long what people wrote is kept, milliseconds. */
const KEPT_MS = 30 * DAY_MS

export async function dropInbound({ db, clock }: Context): Promise<void> {
  const before = new Date(clock.ms() - KEPT_MS)
  for (const workspaceId of await listWorkspacesWithOldMessages(db, before)) await dropMessages(db, workspaceId, before)
}
