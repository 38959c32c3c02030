/** Tags for `If-Match` that say which text a member has read. */
import { hash } from 'node:crypto'
import { DetailedError, ERRORS } from '../../../errors.ts'
import { matchesEtag } from '../../../http/answers/etag.ts'

/** Includes the quotes. A missing text has a tag too, so that of two members who translate it at once the second is told. */
export function tagOf(text: string | null | undefined): string {
  return text === null || text === undefined ? '"missing"' : `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
}

/** 412 with the current text when it is not the one that was read. Without the header nothing is checked. */
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
