/** The client as one script for pages without a bundler: everything is a member of `ContentFlow`. Served by the server at /sdk/contentflow.js. */
export { createClient } from './client.ts'
export { inbox } from './inbox.ts'
export { formatMessage } from './message.ts'
export { blocksOf, numberOf, textOf, toggleOf } from './values.ts'
export { VERSION } from './version.ts'
