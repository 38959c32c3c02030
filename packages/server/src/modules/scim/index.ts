/** What the rest of the server may ask of SCIM. */
export { installScim } from './routes-answers.ts'
