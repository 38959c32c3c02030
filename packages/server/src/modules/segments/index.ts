/** What the rest of the server may ask of segments. */
export { areTracked, blockPathSegments, catalogOf, historiesFor, storedMembership, type SegmentCatalog } from './catalog.ts'
export { createSegmentOf } from './bulk.ts'
export { applySegments, codeOf } from './apply-segments.ts'
export { behaviourWork, segmentTrackersWork } from './membership/behaviour-work.ts'
export { changePeople, type PeopleChange } from './membership/change-people.ts'
export { copySegments } from './copy-segments.ts'
export { countMembers, listSegments, lockSegments, markAllDue, markEnrichedDue } from './queries.ts'
export { listManualSegments, saveMembership } from './membership/queries-membership.ts'
export {
  deletedSegmentsWork,
  recomputeDue,
  reevaluateProfiles,
  SEGMENTS,
  segmentsWork,
  recomputeNowIfSmall,
} from './membership/recompute.ts'
export { compileRegex, openRegexCheck } from '../../infra/regex.ts'
export { createSegment } from './segments.ts'
export { guardWriteOnly, roundedFor } from './write-only.ts'
export {
  countSegmentMembers,
  countSegmentMoves,
  listAffectedSegments,
  listSegmentUses,
  type AffectedSegment,
  type MembershipMoves,
} from './rules/weigh-segment.ts'
