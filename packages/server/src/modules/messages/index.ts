/** What the rest of the server may ask of in-app messages. */
export { dropMessages } from './drop.ts'
export { endMessages } from './end.ts'
export { openMessages } from './open.ts'
export { dropMessagesOf, type MessageEnd } from './queries.ts'
export { readPeople } from './read-people.ts'
