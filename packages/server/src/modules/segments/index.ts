/** What the rest of the server may ask of segments. */
export { blockPathSegments, catalogOf, storedMembership, type Catalog } from './catalog.ts'
export { changePeople, type PeopleChange } from './change-people.ts'
export { copySegments, markAllDue, markEnrichedDue } from './queries.ts'
export { listManualSegments, saveMembership } from './queries-membership.ts'
export { deletedSegmentsWork, reevaluateProfiles, SEGMENTS, segmentsWork } from './recompute.ts'
export { compileRegex, regexFault } from './regex.ts'
export { createSegment } from './segments.ts'
