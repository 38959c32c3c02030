/** What the rest of the server may ask of places. */
export { deleteGeofence, insertGeofence, listGeofences, updateGeofence } from './queries.ts'
