/** What the rest of the server may ask of access. */
export { endingWork } from './warn-of-ends.ts'
export { openServices } from './tokens.ts'
