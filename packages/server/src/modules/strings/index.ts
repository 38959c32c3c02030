/** What the rest of the server may ask of strings. */
export { applyImport, createImport } from './import-strings.ts'
export { openStrings } from './open-strings.ts'
export type { StringsReading } from './reading.ts'
export { createLocale, openCatalog } from './locales.ts'
export { copyStrings } from './queries.ts'
export { listSensors } from './queries-sensors.ts'
