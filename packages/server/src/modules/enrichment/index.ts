/** What the rest of the server may ask of what other systems say of people. */
export { importsWork } from './import-work.ts'
export { holdLoaded, readLoaded, saveAttributes } from './journey-values.ts'
export { uploadsWork } from './change-upload.ts'
export { findPriorities } from './queries-priorities.ts'
export { endedWork, prioritiesWork } from './resolve.ts'
