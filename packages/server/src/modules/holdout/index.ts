/** What the rest of the server may ask of the holdout. */
export { findHoldout, isHeldOutNow } from './queries-held-out.ts'
export { findReading, type Side } from './queries-readings.ts'
export { holdoutWork, planReading } from './read-sides.ts'
