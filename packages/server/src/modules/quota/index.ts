/** How much a workspace may hold. */
export { bytesOf, requireLibraryRoom, takeLibraryRoom, reserveQuota } from './quota.ts'
