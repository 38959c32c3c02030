/** What the rest of the server may ask of SCIM. */
export { installScim } from './answers.ts'
