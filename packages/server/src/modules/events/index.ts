/** What the rest of the server may ask of events. */
export { openIngest, type EventIngest, type OnStored } from './ingest.ts'
export { openServerEvents, sentEvent, type ServerEvent, type ServerEvents } from './server-events.ts'
