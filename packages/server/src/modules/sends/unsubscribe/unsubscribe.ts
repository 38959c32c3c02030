/** Mail that people can leave (RFC 8058): an address that names the person to this server and to nobody else. */
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import { decideChannels, consentChanges, type Channels } from '@contentflow/core/identity/consent/consent.ts'
import type { Context } from '../../../context.ts'
import { appendLedger, findSubjectSalt, lockNamed, patchProfile, subjectOfPerson } from '../../people/index.ts'
import { aboutPerson } from '../../../infra/concurrency/limiters.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import { linkAddressFor } from '../addresses/link-address.ts'
import { changePeople, type PeopleChange } from '../../segments/index.ts'

const ROW = 'unsubscribe'

/** `address`: where this server is reached. */
export async function unsubscribeUrls(
  { links }: Context,
  { workspaceId, address }: { workspaceId: string; address: string },
): Promise<(profileId: string) => string> {
  const seal = await links.sealer('unsubscribe')
  return (profileId) => addressOf(address, seal([workspaceId, profileId]))
}

/** As others see it who look at a mail before it goes out: it withdraws nobody's consent. */
export async function shownUnsubscribeUrl(ctx: Context, member: MemberCaller): Promise<string | undefined> {
  const address = await linkAddressFor(ctx, member)
  return address && addressOf(address, 'preview')
}

function addressOf(address: string, token: string): string {
  return `${address}/api/v1/unsubscribe/${token}`
}

export type Unsubscriber = { workspaceId: string; profileId: string }

/** Undefined: no address that this server made. */
export async function readUnsubscribe({ links, secrets }: Context, token: string): Promise<Unsubscriber | undefined> {
  const [workspaceId = '', profileId = ''] = (await links.open('unsubscribe', token)) ?? []
  if (profileId !== '') return { workspaceId, profileId }
  return readFormer(secrets, token)
}

/** As links were before they had a secret of their own: readable as long as their key is in CF_SECRET_KEY. */
function readFormer(secrets: Context['secrets'], token: string): Unsubscriber | undefined {
  const [workspaceId = '', sealed] = token.split('~')
  if (sealed === undefined) return undefined
  try {
    return { workspaceId, profileId: secrets.open(sealed, { workspaceId, row: ROW }) }
  } catch {
    // Whatever is wrong with it, it names nobody.
    return undefined
  }
}

/** Withdraws the consent to a channel; again and again it stays withdrawn. Who is gone has left; who signed in since is the user. */
export async function withdraw(
  ctx: Context,
  { workspaceId, profileId }: Unsubscriber,
  channel: ChannelType,
  source: 'unsubscribe' | 'inbound' = ROW,
): Promise<void> {
  const leave = async ({ tx, now, changed }: PeopleChange) => {
    const profile = await lockNamed(tx, workspaceId, profileId)
    if (!profile) return
    const before = { channels: profile.channels as Channels, saved: profile.saved_channels as Channels | null }
    const after = decideChannels(before, { [channel]: false })
    const changes = consentChanges(before, after)
    if (changes.length === 0) return
    await patchProfile(tx, workspaceId, profile.id, {
      channels: JSON.stringify(after.channels),
      saved_channels: after.saved && JSON.stringify(after.saved),
      updated_at: now,
    })
    const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
    await appendLedger(tx, { workspaceId, environment: profile.environment }, [{ subject, changes }], { source, keyId: source })
    changed(profile.id)
  }
  // A link may be opened any number of times.
  await ctx.limiters.clientWrites(workspaceId, aboutPerson({ profileId }), () =>
    changePeople(ctx, { workspaceId, actor: source, isBrief: true }, leave),
  )
}
