/** What people did with messages: opened them, followed their links. */
export { openMailTracker, type MailTracker } from './tracked-links.ts'
export { findTracking } from './tracking-setting.ts'
export { openShortener, type Shortener, type ShortUrl } from './short-links/make-short-links.ts'
export { dropShortLinks } from './short-links/drop-short-links.ts'
export { openRedirects } from './redirects.ts'
export { responsesWork } from './settle-responses.ts'
