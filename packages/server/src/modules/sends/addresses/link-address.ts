/**
 * Where the links in mails of campaigns and journeys lead: as the server is configured, else where whoever let messages go out
 * reached it (docs/decisions/0046). The word of somebody with approval rights stands until the next one's; that of others
 * counts while there is none.
 */
import type { Context } from '../../../context.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import type { Change } from '../../../infra/change.ts'
import { findLinkAddress, saveLinkAddress } from './queries-addresses.ts'

/** Undefined: nobody knows. */
export async function linkAddress({ config, db }: Pick<Context, 'config' | 'db'>, workspaceId: string): Promise<string | undefined> {
  if (config.linkUrl !== '' || config.isPublicUrlNeeded) return config.linkUrl || undefined
  return (await findLinkAddress(db, workspaceId)) ?? undefined
}

/** The address that links would have if this member let messages go out now. */
export async function linkAddressFor(ctx: Pick<Context, 'config' | 'db'>, member: MemberCaller): Promise<string | undefined> {
  const known = await linkAddress(ctx, member.workspaceId)
  return isSaidBy(ctx, member, known) ? member.reachedAt : known
}

/** Stores the address, in the same change in which a member lets messages go out. */
export async function rememberLinkAddress(
  { tx, workspaceId, now }: Change,
  { config }: Pick<Context, 'config'>,
  member: MemberCaller,
): Promise<void> {
  const known = await linkAddress({ config, db: tx }, workspaceId)
  if (known === member.reachedAt || !isSaidBy({ config }, member, known)) return
  await saveLinkAddress(tx, workspaceId, { address: member.reachedAt, by: member.accountId, at: now })
}

function isSaidBy({ config }: Pick<Context, 'config'>, { mayApprove, reachedAt }: MemberCaller, known: string | undefined): boolean {
  return config.linkUrl === '' && !config.isPublicUrlNeeded && (mayApprove || known === undefined) && isAddress(reachedAt)
}

/** The host of a request is a text that its sender can choose freely. */
function isAddress(text: string): boolean {
  return /^https?:\/\/(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(text)
}
