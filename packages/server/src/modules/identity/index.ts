/** What the rest of the server may ask of identity. */
export { erasureWork } from './erase.ts'
export { findPendingErasure } from './queries-erasure.ts'
export { refreshDevices } from './refresh-devices.ts'
export { openAskedLocales } from './asked-locales.ts'
export { openIdentify, type Identify } from './identify.ts'
export { openProofs, type Proofs } from './proof/proofs.ts'
export { installProofGuard } from './proof/routes-guard.ts'
export { tendProofs } from './proof/tend.ts'
