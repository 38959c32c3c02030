/** What the rest of the server may ask of workspaces that end. */
export { endingsWork } from './purge.ts'
