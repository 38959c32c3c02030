/** What journeys offers to the rest of the server. */
export { approveActivation } from './activate.ts'
export { journeysWork } from './runs/check.ts'
export { journeysListener } from './events/hear-counted.ts'
export { applyJourneys, listJourneyCode } from './apply-journeys.ts'
