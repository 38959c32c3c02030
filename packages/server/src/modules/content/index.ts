/** What other modules may ask of content; each takes the caller's transaction. */
export { insertHeads as openHeads, copyDefinitions, isTestRetired } from './queries.ts'
export { listInstancesFor, listTypeInstances, summarizeInstancesFor, type Instance } from './queries-instances.ts'
export { listInstancesHolding } from './queries-uses.ts'
export { touchContent } from './change-content.ts'
export { syncManifest } from './sync-manifest.ts'
export { pointersOf } from './publication/served.ts'
export { publicationsWork } from './publication/due-publications.ts'
export { dropDeleted } from './publication/deleted.ts'
