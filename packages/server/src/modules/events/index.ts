/** What the rest of the server may ask of events. */
export { openIngest, type EventIngest } from './ingest.ts'
