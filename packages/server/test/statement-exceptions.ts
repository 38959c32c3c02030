/** By file and function, with why: statements that are of several workspaces and may be. */
export const ACROSS_WORKSPACES: Record<string, string> = {
  'modules/content/queries.ts copyDefinitions': 'a sandbox begins with the block types of its workspace',
  'modules/strings/queries.ts copyStrings': 'a sandbox begins with the strings of its workspace',
  'modules/segments/queries.ts copySegments': 'a sandbox begins with the segments of its workspace',
}

/** Statements that are still to be made fit. Only ever shorter. */
export const UNFIT_YET = new Set([
  'modules/analytics/queries-counts.ts addActiveDevices',
  'modules/analytics/queries-counts.ts addCounts',
  'modules/analytics/queries-people.ts addToPeople',
  'modules/analytics/queries-people.ts holdPeople',
  'modules/analytics/queries-people.ts refreshDue',
  'modules/analytics/queries-retention.ts deleteIds',
  'modules/analytics/queries-retention.ts deleteSome',
  'modules/analytics/queries-retention.ts findOldIds',
  'modules/events/queries.ts claimEventIds',
  'modules/events/queries.ts holdDevices',
  'modules/events/queries.ts insertEvents',
  'modules/events/queries.ts listPeopleWithMessages',
  'modules/identity/queries-erasure.ts claimDueErasures',
  'modules/segments/queries.ts claimDue',
  'modules/segments/queries.ts listUnsettled',
])
