/** What explain needs to decide as delivery does: the same snapshot, view and verdicts. */
export { viewOf } from './answers.ts'
export type { DeviceView } from './device-view.ts'
export { loadSnapshotRows } from './queries.ts'
export { judgeChild, pieceOf, type Budget, type ChildVerdict, type View } from './render.ts'
export { buildSnapshot, type SnapInstance, type Snapshot } from './snapshot.ts'
