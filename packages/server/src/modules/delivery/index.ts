/** What delivery offers to the rest of the server; explain decides with the same snapshot, view and verdicts. */
export { openDelivery, type Delivery } from './open-delivery.ts'
export { viewOf } from './answers/answers.ts'
export { unknownView, type DeviceView } from './answers/device-view.ts'
export { loadSnapshotRows } from './snapshot/queries.ts'
export { judgeChild, pieceOf, renderSync, type LengthBudget, type ChildVerdict, type View } from './answers/render.ts'
export { Rendered } from './snapshot/rendered.ts'
export { buildSnapshot, type SnapInstance, type Snapshot } from './snapshot/snapshot.ts'
