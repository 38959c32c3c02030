/** What other modules may ask of approvals; each takes the caller's transaction unless it takes the context. */
export { findRules, updatePublishApproval } from './queries-rules.ts'
export { refuseApprover, refuseSubmitter, requirePublisher, requireStrictPublisher } from './rules.ts'
export { askFor, getPending, settleRequest, withdrawRequests, type PendingRequest } from './requests.ts'
export type { StoredRequest } from './queries-requests.ts'
export { passLaunch, sendCode, useCode } from './launch.ts'
