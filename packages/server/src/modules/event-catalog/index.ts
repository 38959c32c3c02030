/** What the rest of the server may ask of the catalogue of events. */
export { openEventCatalog } from './open-catalog.ts'
export { lockCatalog as lockEventCatalog } from './queries.ts'
export { listDeclared as listDeclaredTypes } from './read-known.ts'
export { applyTypes as applyEventTypes } from './write-types.ts'
