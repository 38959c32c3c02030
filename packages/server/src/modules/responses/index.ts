/** What people did with messages: opened them, followed their links. */
export { openMailTracker, type MailTracker } from './tracked-links.ts'
export { findTracking } from './tracking-setting.ts'
export { openRedirects } from './redirects.ts'
export { responsesWork } from './settle-responses.ts'
