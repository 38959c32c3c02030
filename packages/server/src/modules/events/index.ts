/** What the rest of the server may ask of events. */
export { openIngest, type Ingest } from './ingest.ts'
