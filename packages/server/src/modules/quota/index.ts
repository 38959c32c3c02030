/** How much a workspace may hold. */
export { bytesOf, requireLibraryRoom, takeLibraryRoom, takeRoom } from './quota.ts'
