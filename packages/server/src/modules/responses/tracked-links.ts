/**
 * The addresses by which a server hears of openings and clicks. All that is needed is sealed inside of them, the destination
 * too: none leads anywhere else than where it was made for, nobody else can make one, and to follow one takes no database.
 */
import type { TrackedMail } from '@contentflow/core/messages/compose.ts'
import { OPENED, TRAP } from '@contentflow/core/messages/responses/hit.ts'
import { isTrackable } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import { isTracked, type MessageTracking } from '@contentflow/core/messages/responses/tracking.ts'
import type { Context } from '../../context.ts'

/** `sentAt`: milliseconds. `variantId`: '' without variants. */
type TrackedSend = { workspaceId: string; dispatchId: string; profileId: string; variantId: string; sentAt: number }
export type FollowedLink = TrackedSend & { node: string; url: string }

/** Under the address of the server: clicks, and the picture that says a mail was opened. */
export const CLICKS = '/r/'
export const PICTURES = '/o/'
export const PICTURE_END = '.gif'

/** Undefined: nothing of this mail is counted. `said`: what the person said to the topic of tracking. */
export type MailTracker = (send: TrackedSend, said: boolean | null) => TrackedMail | undefined

/** `address`: where this server is reached, without a slash at its end. Undefined: nothing is counted in this workspace. */
export async function openMailTracker({ links }: Context, address: string, chosen: MessageTracking): Promise<MailTracker | undefined> {
  if (chosen.opens === 'off' && chosen.clicks === 'off') return undefined
  const [click, open] = [await links.sealer('click'), await links.sealer('open')]
  return (send, said) => {
    const [opens, clicks] = [isTracked(chosen.opens, said), isTracked(chosen.clicks, said)]
    if (!opens && !clicks) return undefined
    const ids = [send.workspaceId, send.dispatchId, send.profileId, send.sentAt.toString(36), send.variantId]
    return {
      ...(opens && { pictureUrl: `${address}${PICTURES}${open(ids)}${PICTURE_END}` }),
      ...(chosen.trap && { trapUrl: `${address}${CLICKS}${click([...ids, TRAP, ''])}` }),
      ...(clicks && { link: (node, url) => linkTo(url, (to) => `${address}${CLICKS}${click([...ids, node, to])}`) }),
    }
  }
}

/** An address as browsers send it: a header takes no letters beyond ASCII. What is no address for them is left as it is written. */
function linkTo(url: string, track: (to: string) => string): string {
  if (!isTrackable(url) || !URL.canParse(url)) return url
  const to = new URL(url).href
  return isTrackable(to) ? track(to) : url
}

/** The kinds of addresses. */
export type Followed = 'click' | 'open'

/** What an address holds whose key is at hand; undefined is not known: `readLink` says. */
export function peekLink({ links }: Context, kind: Followed, token: string): FollowedLink | undefined {
  return linkOf(kind, links.peek(kind, token))
}

/** Undefined: no address that this installation made. */
export async function readLink({ links }: Context, kind: Followed, token: string): Promise<FollowedLink | undefined> {
  return linkOf(kind, await links.open(kind, token))
}

function linkOf(kind: Followed, held: readonly string[] | undefined): FollowedLink | undefined {
  if (!held) return undefined
  const [workspaceId = '', dispatchId = '', profileId = '', sentAt = '', variantId = '', node = OPENED, url = ''] = held
  return {
    workspaceId,
    dispatchId,
    profileId,
    variantId,
    sentAt: parseInt(sentAt, 36),
    ...(kind === 'click' ? { node, url } : { node: OPENED, url: '' }),
  }
}
