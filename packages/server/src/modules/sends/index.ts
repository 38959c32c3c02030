/** What the rest of the server may ask of sends. */
export { queueSends, resendInterrupted, startDispatches, stopDispatches, type Outgoing } from './dispatches.ts'
export { openJudgement } from './judge-people.ts'
export { previewSends } from './preview.ts'
export { PreviewSchema, presentPreview } from './present-preview.ts'
export { sendTest } from './test-message.ts'
export { presentReport, ReportSchema } from './present.ts'
export { readReport } from './queries.ts'
export { dispatchWork } from './work.ts'
