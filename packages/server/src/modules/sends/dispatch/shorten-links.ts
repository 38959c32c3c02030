/** Short links for the text messages of a batch, in the transaction that marks them as being sent. */
import { isPage, linkOfContent } from '@contentflow/core/messages/compose.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { Db } from '../../../db/open.ts'
import type { DispatchRow } from '../queries.ts'
import type { ReadySend, SendContext } from './send-one.ts'

type Parts = { means: Pick<SendContext, 'shortener' | 'webAddress'>; dispatch: Pick<DispatchRow, 'id' | 'message'> }

/** Sets `short` of those that have a link; nothing where links are not shortened. */
export async function shortenLinks(tx: Db, { means, dispatch }: Parts, ready: readonly ReadySend[], now: Date): Promise<void> {
  const { shortener, webAddress } = means
  if (!shortener) return
  const written = linksIn(dispatch.message.content)
  const wanted = ready.flatMap(({ recipient, composed }) => {
    const url = linkOfContent(composed.content, webAddress)
    // Nobody counts who opens the page of their preferences.
    if (url === undefined || isPage(url, composed.pageUrl)) return []
    const isPersonal = !written.has(composed.content.ctaUrl ?? '')
    return [{ profileId: recipient.id, variantId: composed.variantId ?? '', url, isPersonal, said: recipient.tracking }]
  })
  if (wanted.length === 0) return
  const links = await shortener(tx, dispatch.id, wanted, now)
  for (const send of ready) {
    const link = links.get(send.recipient.id)
    if (link) send.short = link
  }
}

/** Addresses as they are written: what is filled with something of a person is another. */
function linksIn(content: LocalizedContent): ReadonlySet<string> {
  return new Set(
    Object.values(content).flatMap(({ variants = [], ctaUrl }) => [ctaUrl ?? '', ...variants.map(({ values }) => values.ctaUrl ?? '')]),
  )
}
