/** What the rest of the server may ask of requests. */
export { forgetSubject } from './received/queries-received.ts'
export { askByPerson, cleanUpRequests } from './received/requests-received.ts'
