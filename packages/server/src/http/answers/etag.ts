import { hash } from 'node:crypto'

/** The tag of this body, whatever its content coding; quotes included. The environment counts too: the same body is another answer there (C-SYNC-05). */
export function etagOf(scope: string, body: string): string {
  return `"${hash('sha256', `${scope}\n${body}`, 'base64url').slice(0, 22)}"`
}

/** Whether `If-None-Match` names this answer: `*`, one tag or a list, weak forms included (G-32). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return tag === etag || tag === '*'
  })
}
