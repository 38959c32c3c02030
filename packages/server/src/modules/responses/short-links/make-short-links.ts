/** Short links of text messages, where each character is paid for. What they lead to is kept here, and not in their address. */
import { randomInt } from 'node:crypto'
import { LIMITS } from '@contentflow/core/limits.ts'
import { BUTTON, isTrackable } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import { CODE_LENGTH, SHORT_ROOT, SLUG_LENGTH } from '@contentflow/core/messages/short-link.ts'
import { isTracked, type MessageTracking } from '@contentflow/core/messages/responses/tracking.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../../db/open.ts'
import { hashUuid } from '../../../infra/secrets/crypto.ts'
import { extendShortLinks, findSlug, insertShortLinks, listCodes, takeSlug, type NewShortLink } from './queries-short-links.ts'

/** `url`: where it leads. `isPersonal`: something of the person stands in it. `said`: to the topic of tracking. */
type LinkWanted = { profileId: string; variantId: string; url: string; isPersonal: boolean; said: boolean | null }

export type ShortUrl = { url: string; isCounted: boolean }

/** Of a dispatch, by person: the short link of each; whose address is not of the web keeps it as it is written. */
export type Shortener = (tx: Db, dispatchId: string, wanted: readonly LinkWanted[], now: Date) => Promise<Map<string, ShortUrl>>

/** `tracking`: undefined where nothing is counted. `address`: where this server is reached, without a slash at its end. */
export async function openShortener(
  db: Db,
  { workspaceId, address, tracking }: { workspaceId: string; address: string; tracking: MessageTracking | undefined },
): Promise<Shortener> {
  const slug = (await findSlug(db, workspaceId)) ?? (await makeSlug(db, workspaceId))
  return async (tx, dispatchId, wanted, now) => {
    const expiresAt = new Date(now.getTime() + LIMITS.shortLinkDays * DAY_MS)
    const ids = new Map<string, string>()
    const links = new Map<string, NewShortLink>()
    for (const { profileId, variantId, url, isPersonal, said } of wanted) {
      const to = wholeUrl(url)
      if (to === undefined) continue
      const isCounted = tracking !== undefined && isTracked(tracking.clicks, said)
      // People of whom nothing is counted share a link, unless its address says something of them: then it goes with them.
      const owner = isCounted || isPersonal ? profileId : null
      const id = hashUuid(JSON.stringify([workspaceId, dispatchId, owner, BUTTON, isCounted, to]))
      ids.set(profileId, id)
      links.set(id, { id, profileId: owner, variantId: isCounted ? variantId : null, node: BUTTON, url: to })
    }
    const codes = await store(tx, { workspaceId, dispatchId, links: [...links.values()], now, expiresAt })
    const made = (id: string): ShortUrl => ({
      url: `${address}${SHORT_ROOT}${slug}/${codes.get(id) ?? ''}`,
      isCounted: links.get(id)?.variantId !== null,
    })
    return new Map([...ids].map(([profileId, id]) => [profileId, made(id)]))
  }
}

/** As browsers send it; undefined: nothing that a browser can be led to. */
function wholeUrl(url: string): string | undefined {
  if (!isTrackable(url) || !URL.canParse(url)) return undefined
  const to = new URL(url).href
  return isTrackable(to) ? to : undefined
}

type Stored = { workspaceId: string; dispatchId: string; links: readonly NewShortLink[]; now: Date; expiresAt: Date }

/** A code that is taken already is one in billions, so a few tries are enough. Links that are there keep theirs, and live longer. */
async function store(tx: Db, { workspaceId, dispatchId, links, now, expiresAt }: Stored): Promise<Map<string, string>> {
  const ids = links.map(({ id }) => id)
  const codes = await listCodes(tx, workspaceId, ids)
  if (codes.size > 0)
    await extendShortLinks(tx, workspaceId, [...codes.keys()], { expiresAt, staleBefore: new Date(expiresAt.getTime() - DAY_MS) })
  for (let tries = 0; codes.size < links.length; tries++) {
    if (tries === MOST_TRIES) throw new Error('no free code for a short link was found')
    const missing = links.filter(({ id }) => !codes.has(id)).map((link) => ({ ...link, code: randomText(CODE_LENGTH) }))
    await insertShortLinks(tx, { workspaceId, dispatchId, now, expiresAt }, missing)
    for (const [id, code] of await listCodes(tx, workspaceId, ids)) codes.set(id, code)
  }
  return codes
}
const MOST_TRIES = 5

/** Where two processes make one at once, both use the first. */
async function makeSlug(db: Db, workspaceId: string): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await takeSlug(db, workspaceId, randomText(SLUG_LENGTH))
    const slug = await findSlug(db, workspaceId)
    if (slug !== undefined) return slug
  }
  throw new Error('no free slug for short links was found')
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
