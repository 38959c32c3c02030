/** Routes that tell of other modules by what they are for: whoever is given their permission is given that. */
import { MODULES, type Module } from './things.ts'

export const TOLD_BY: Record<string, readonly Module[]> = {
  // The whole workspace as one document.
  'GET /workspace/code': MODULES,
  'POST /workspace/code/plan': MODULES,
  // Entries name what they are about as it is called now.
  'GET /audit': MODULES,
  'GET /audit/:seq': MODULES,
  // Which blocks a device gets and why: by their types, titles and segments.
  'GET /explain/devices/:deviceId': ['content', 'segments', 'types'],
  // Why somebody is in a segment or not, by its rules.
  'GET /segments/:id/explain': ['segments'],
  // Where a person is in the journeys that took them in, by name.
  'GET /users/:userId/journeys': ['journeys'],
}
