/** What the rest of the server may ask of access. */
export { openServices } from './tokens.ts'
