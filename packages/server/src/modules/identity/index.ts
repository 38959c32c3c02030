/** What the rest of the server may ask of identity. */
export { runErasures } from './erase.ts'
export { refreshDevice } from './refresh-device.ts'
export { openIdentify, type Identify } from './identify.ts'
