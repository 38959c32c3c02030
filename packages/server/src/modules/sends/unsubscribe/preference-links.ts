/** Links to the page on which people choose what they get (decision 74). Each says on which day it was made. */
import { namesPreferences, type WholeMessage } from '@contentflow/core/messages/message-tokens.ts'
import type { Context } from '../../../context.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import { isPageInMails } from '../../topics/index.ts'
import { linkAddress, linkAddressFor } from '../addresses/link-address.ts'

/** `day`: on which the link was made, such as `2026-03-31`. */
export type PreferenceLink = { workspaceId: string; profileId: string; day: string }

/** `address`: where this server is reached. Links of one day are the same for a person. */
export async function preferencesUrls(
  { links, clock }: Pick<Context, 'links' | 'clock'>,
  { workspaceId, address }: { workspaceId: string; address: string },
): Promise<(profileId: string) => string> {
  const seal = await links.sealer('preferences')
  const day = clock.now().toISOString().slice(0, 10)
  return (profileId) => addressOf(address, seal([workspaceId, profileId, day]))
}

/** Undefined: mails of this workspace do not link the page. */
export async function preferencesUrlsInMails(
  ctx: Context,
  of: { workspaceId: string; address: string },
): Promise<((profileId: string) => string) | undefined> {
  return (await isPageInMails(ctx.db, of.workspaceId)) ? preferencesUrls(ctx, of) : undefined
}

/** As members see it who look at a mail before it goes out: it is nobody's page. */
export async function shownPreferencesUrl(ctx: Context, member: MemberCaller): Promise<string | undefined> {
  const address = await linkAddressFor(ctx, member)
  return address !== undefined && (await isPageInMails(ctx.db, member.workspaceId)) ? addressOf(address, 'preview') : undefined
}

/** For a message with a token that leads to the page; undefined: it has none, or nobody knows where this server is. */
export async function pagesNamed(
  ctx: Context,
  workspaceId: string,
  message: WholeMessage,
): Promise<((profileId: string) => string) | undefined> {
  const address = namesPreferences(message) ? await linkAddress(ctx, workspaceId) : undefined
  return address === undefined ? undefined : preferencesUrls(ctx, { workspaceId, address })
}

/** The same as members see it. */
export async function pageShown(ctx: Context, member: MemberCaller, message: WholeMessage): Promise<(() => string) | undefined> {
  const address = namesPreferences(message) ? await linkAddressFor(ctx, member) : undefined
  return address === undefined ? undefined : () => addressOf(address, 'preview')
}

/** Undefined: no link that this server made. */
export async function readPreferenceLink({ links }: Pick<Context, 'links'>, token: string): Promise<PreferenceLink | undefined> {
  const [workspaceId = '', profileId = '', day = ''] = (await links.open('preferences', token)) ?? []
  return profileId === '' ? undefined : { workspaceId, profileId, day }
}

function addressOf(address: string, token: string): string {
  return `${address}/api/v1/preferences/${token}`
}
