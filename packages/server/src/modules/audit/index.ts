/** What the rest of the server may ask of the audit log; changes leave their entries by themselves (`infra/audit`). */
export { noteAccountEvent, type AccountEvent } from './account-events.ts'
export { tendAudit } from './checkpoints.ts'
export { areReadsKept } from './settings.ts'
