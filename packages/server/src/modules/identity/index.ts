/** What the rest of the server may ask of identity. */
export { erasureWork } from './erase.ts'
export { findPendingErasure } from './queries-erasure.ts'
export { refreshDevices } from './refresh-devices.ts'
export { openAskedLocales } from './asked-locales.ts'
export { openIdentify, type Identify } from './identify.ts'
