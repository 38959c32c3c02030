/** How much a workspace may hold. */
export { bytesOf, takeRoom } from './quota.ts'
