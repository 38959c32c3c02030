/** What the rest of the server may ask of journeys. */
export { journeysWork } from './check.ts'
