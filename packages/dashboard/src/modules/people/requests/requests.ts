/** Where the server keeps requests of people about their data. */
export const REQUESTS = '/subject-requests'
/** Receipts of files of people. */
export const EXPORTS = '/person-exports'
/** What else shows how many wait. */
export const STALE = [REQUESTS, '/content/overview']
