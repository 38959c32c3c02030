/**
 * What the file of a person is made of: each table that holds something of somebody is a part, stands in `person.json`, or is named
 * here with why it does not (decision 0069). `export.test.ts` holds the three to the tables there are. Every column of a part is
 * exported unless it is hidden, so a new one is by itself.
 */

/** What a table knows people by. `subject`: the keyed hashes of person and devices; `identity`: what loaded rows name them by. */
export type Owner = 'profile' | 'person' | 'device' | 'subject' | 'user' | 'identity'

export type ExportPart = {
  /** The name of its two files. */
  name: string
  table: string
  of: Owner
  /** The column that says whose row it is. */
  column: string
  /** Columns that tell rows of one person apart, in the order of an index where there may be many. */
  key: readonly string[]
  /** Rows of the other environment are somebody else's. `live`: there are none of test. */
  environment?: 'column' | 'live'
  /** Only rows of a load into the same environment: the table of the loads, and the column that names one. */
  load?: { table: 'uploads' | 'imports'; column: string }
  /** Members besides the columns: the name of what an id stands for. */
  names?: readonly { as: string; table: 'segments' | 'campaigns' | 'journeys' | 'dispatches'; column: string; member?: string }[]
  hides?: readonly string[]
}

const ofPerson = (name: string, table: string, key: readonly string[], more: Partial<ExportPart> = {}): ExportPart => ({
  name,
  table,
  of: 'profile',
  column: 'profile_id',
  key,
  ...more,
})
const ofDevices = (name: string, table: string, key: readonly string[], environment: 'column' | 'live'): ExportPart => ({
  name,
  table,
  of: 'device',
  column: 'device_id',
  key,
  environment,
})

/** All but events and errors of loads, which are read in ways of their own. In the order of the file. */
export const TABLE_PARTS: readonly ExportPart[] = [
  ofPerson('devices', 'devices', ['device_id']),
  ofPerson('push', 'push_registrations', ['device_id'], { hides: ['token', 'token_hash'] }),
  ofDevices('device-proofs', 'device_bindings', ['device_id', 'environment'], 'column'),
  { name: 'consents', table: 'consent_ledger', of: 'subject', column: 'subject', key: ['id'], environment: 'column', hides: ['key_id'] },
  ofPerson('email-confirmations', 'email_confirmations', ['id'], { hides: ['email_hash'] }),
  ofPerson('segments', 'segment_members', ['segment_id'], { names: [{ as: 'segment', table: 'segments', column: 'segment_id' }] }),
  ofPerson('sign-ins', 'identity_events', ['at', 'id']),
  ofPerson('days', 'person_days', ['day']),
  ofDevices('active-days', 'active_devices', ['device_id', 'environment', 'day'], 'column'),
  ofPerson('actions', 'person_actions', ['kind', 'at', 'device_id']),
  { name: 'behaviour', table: 'person_behaviour', of: 'profile', column: 'id', key: ['id'] },
  ofPerson('locations', 'location_points', ['id']),
  ofPerson('geofence-events', 'geofence_events', ['id']),
  ofPerson('geofences-inside', 'geofence_presence', ['device_id', 'fence_id']),
  ofPerson('identity-records', 'kyc_records', ['profile_id']),
  ofPerson('loaded-values', 'enrichment_values', ['upload_id']),
  {
    name: 'loaded-records',
    table: 'upload_records',
    of: 'user',
    column: 'user_id',
    key: ['upload_id', 'number'],
    load: { table: 'uploads', column: 'upload_id' },
  },
  {
    name: 'imported-rows',
    table: 'import_rows',
    of: 'identity',
    column: 'identity',
    key: ['import_id', 'row'],
    load: { table: 'imports', column: 'import_id' },
  },
  ofPerson('messages', 'sends', ['created_at', 'dispatch_id'], {
    names: [
      { as: 'message', table: 'dispatches', column: 'dispatch_id' },
      { as: 'channel', table: 'dispatches', column: 'dispatch_id', member: 'channel' },
    ],
    hides: ['channel_id', 'told', 'tries', 'settled_installs'],
  }),
  ofPerson('message-values', 'send_values', ['dispatch_id']),
  ofPerson('message-responses', 'send_responses', ['id']),
  ofPerson('message-links', 'short_links', ['id'], { hides: ['code'] }),
  ofPerson('in-app-messages', 'in_app_messages', ['id'], { names: [{ as: 'campaign', table: 'campaigns', column: 'campaign_id' }] }),
  ofPerson('replies', 'inbound_messages', ['at', 'id'], { hides: ['channel_id'] }),
  ofPerson('campaigns', 'campaign_people', ['campaign_id'], { names: [{ as: 'campaign', table: 'campaigns', column: 'campaign_id' }] }),
  ofDevices('campaign-devices', 'campaign_devices', ['device_id', 'campaign_id'], 'column'),
  ofDevices('experiments', 'experiment_units', ['device_id', 'experiment_id', 'run'], 'live'),
  ofPerson('journeys', 'journey_runs', ['journey_id', 'occasion'], { names: [{ as: 'journey', table: 'journeys', column: 'journey_id' }] }),
  ofPerson('journey-events', 'journey_inbox', ['journey_id', 'batch', 'place']),
  ofPerson('webhook-deliveries', 'webhook_deliveries', ['id'], { hides: ['endpoint_id', 'log', 'tries'] }),
  ofPerson('erasure-requests', 'erasure_requests', ['id'], { hides: ['requested_by', 'decided_by'] }),
  {
    name: 'requests',
    table: 'subject_requests',
    of: 'person',
    column: 'subject',
    key: ['id'],
    environment: 'column',
    hides: ['user_id', 'handled_by'],
  },
  { name: 'exports', table: 'person_exports', of: 'person', column: 'subject', key: ['id'], environment: 'column', hides: ['made_by'] },
]

/** Parts whose rows no index has in order. */
export const OTHER_PARTS = ['events', 'loading-errors'] as const

/** Tables whose rows of a person stand in `person.json`. */
export const PERSON_TABLES = ['profiles', 'absorbed_profiles'] as const

/** Tables with a column for a person or a device that are in no file, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  erasures: 'a receipt says what went and names nobody',
  people_numbers: 'a number that stands for the person in columns of events; it says nothing of them',
}

/** Of every table: whose it is, which the file says once, hashes that stand for a value that is in the file, and what work needs. */
export const HIDDEN = new Set([
  'workspace_id',
  'profile_id',
  'subject',
  'email_hash',
  'phone_hash',
  'due_at',
  'lease',
  'lease_until',
  'attempts',
  'activity_mark',
  'behaviour_due_at',
  'enrichment_due_at',
])
