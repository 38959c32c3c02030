/** Which text it is that somebody read, for `If-Match`. */
import { hash } from 'node:crypto'
import { DetailedError, ERRORS } from '../../../errors.ts'
import { matchesEtag } from '../../../http/answers/etag.ts'

/** Quotes included. What is not there has a tag too: two who translate it at once are told. */
export function tagOf(text: string | null | undefined): string {
  return text === null || text === undefined ? '"missing"' : `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
}

/** 412 with the text there is now when it is not the one that was read. Without the header nothing is expected. */
export function expectText(ifMatch: string | undefined, text: string | null | undefined): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, tagOf(text))) return
  const [status] = ERRORS.VERSION_CHANGED
  throw new DetailedError(
    status,
    'This text was changed meanwhile; look at the one there is now first',
    { current: { text: text ?? null, etag: tagOf(text) } },
    'VERSION_CHANGED',
  )
}
