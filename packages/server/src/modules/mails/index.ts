/** What the rest of the server may ask of mails. */
export { applyMails, listMailCode } from './apply-mails.ts'
export { freezeParts, refuseUnknownParts } from './parts.ts'
export { listPartChanges } from './queries-library.ts'
