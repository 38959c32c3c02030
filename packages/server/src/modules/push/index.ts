/** What the rest of the server may ask of push: whom a token reaches, and where a send to a person goes. */
export { linkToken, listPushTargets, removeToken } from './queries.ts'
