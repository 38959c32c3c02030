/** What the rest of the server may ask of journeys. */
export { approveActivation } from './activate.ts'
export { journeysWork } from './runs/check.ts'
export { applyJourneys, listJourneyCode } from './apply-journeys.ts'
