/** What the rest of the server may ask of mails. */
export { applyMails, listMailCode } from './apply-mails.ts'
export { readMailBody } from './mail-body.ts'
export { freezeParts, refuseUnknownParts } from './parts.ts'
export { DrawnMailSchema, RenderBody } from './present.ts'
export { findBrand } from './queries-brand.ts'
export { copyMails, listPartChanges } from './queries-library.ts'
