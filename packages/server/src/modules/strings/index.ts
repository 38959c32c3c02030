/** What the rest of the server may ask of strings. */
export { applyImport, createImport } from './files/import-strings.ts'
export { openStrings } from './delivery/open-strings.ts'
export type { StringsReading } from './delivery/reading.ts'
export { createLocale, openCatalog } from './locales.ts'
export { copyStrings } from './queries.ts'
export { listSensors } from './editor/queries-sensors.ts'
