/** What the rest of the server may ask of delivery; explain decides with the same snapshot, view and verdicts. */
export { openDelivery, type Delivery } from './open-delivery.ts'
export { viewOf } from './answers.ts'
export { unknownView, type DeviceView } from './device-view.ts'
export { loadSnapshotRows } from './queries.ts'
export { judgeChild, pieceOf, renderSync, type LengthBudget, type ChildVerdict, type View } from './render.ts'
export { Rendered } from './rendered.ts'
export { buildSnapshot, type SnapInstance, type Snapshot } from './snapshot.ts'
