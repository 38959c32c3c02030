/** What a person and an event take on the disk, indexes included, once everything that is kept of them is there. */
import pg from 'pg'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { count } from '../lib/stats.mjs'

const PEOPLE = 100_000
const EVENTS = 1_000_000
const SEGMENTS = 3
const DECISIONS = 4

export const diskFigure = { name: 'disk', run: measureDisk }

async function measureDisk({ isQuick }) {
  const share = isQuick ? 10 : 1
  const database = await freshDatabase()
  const db = new pg.Client({ connectionString: database.env.DATABASE_URL })
  try {
    await db.connect()
    await fillPeople(db, PEOPLE / share)
    await fillEvents(db, EVENTS / share, PEOPLE / share)
    const person = (await sizeOf(db, ['profiles', 'devices', 'segment_members', 'consent_ledger', 'push_registrations'])) / (PEOPLE / share)
    const event = (await sizeOf(db, ['events_today', 'event_ids'])) / (EVENTS / share)
    return [
      describe('disk-person', 'On the disk for a person with a device, all indexes included', 6_000, person, [
        `${count(PEOPLE / share)} people with ten traits, a device with its own, a push token, ${SEGMENTS} memberships and ${DECISIONS} entries of the ledger each.`,
      ]),
      describe('disk-event', 'On the disk for an event, all indexes and its id included', 600, event, [
        `${count(EVENTS / share)} events of one day with block, instance, screen, session and id, none with properties of their own. Ids are kept for 7 days, events as long as the workspace says.`,
      ]),
    ]
  } finally {
    await db.end()
    await database.remove()
  }
}

function describe(name, what, most, value, made) {
  return { name, what, target: { most, unit: 'bytes' }, value, ours: `${count(value)} bytes`, limit: 'none', made }
}

const TRAITS = `jsonb_build_object('plan', 'gold', 'age', i % 70, 'email', 'user' || i || '@example.com', 'city', 'Riyadh', 'orders', i % 40,
  'theme', 'dark', 'since', '2026-01-01', 'score', i % 1000, 'store', 'Olaya', 'newsletter', true)`

async function fillPeople(db, people) {
  await db.query(
    `insert into workspaces (id, name, created_at, updated_at, settings_changed_at) values ('benchmark', 'Bench', now(), now(), now())`,
  )
  await db.query(`insert into profiles (workspace_id, id, environment, user_id, name, email, phone, country, language, traits, platform,
      sdk_version, locale, analytics, channels, location, last_active_at, last_seen_at, created_at, updated_at)
    select 'benchmark', gen_random_uuid(), 'live', 'user-' || i, 'Person ' || i, 'user' || i || '@example.com', '+9665' || i, 'SA', 'ar', ${TRAITS},
      'ios', '1.0.0', 'ar-SA', true, '{"email": true, "push": true}', '{"country": "SA"}', now(), now(), now(), now()
    from generate_series(1, ${people}) i`)
  await db.query(`insert into devices (workspace_id, device_id, environment, consent, segments, first_seen_at, last_seen_at, expires_at,
      profile_id, traits, platform, sdk_version, locale)
    select workspace_id, gen_random_uuid(), 'live', 'granted', '{one,two,three}', now(), now(), now(), id, traits, platform, sdk_version, locale
    from profiles`)
  await db.query(`insert into push_registrations (workspace_id, device_id, environment, token, token_hash, platform, provider, profile_id, registered_at)
    select workspace_id, device_id, 'live', repeat(md5(device_id), 5), encode(sha256(device_id::bytea), 'hex'), 'ios', 'apns', profile_id, now()
    from devices`)
  await db.query(`insert into segments (workspace_id, id, name, logical_operator, rules, update_frequency, created_at, updated_at)
    select 'benchmark', gen_random_uuid(), 'Segment ' || i, 'AND', '[]', 'realtime', now(), now() from generate_series(1, ${SEGMENTS}) i`)
  await db.query(`insert into segment_members (workspace_id, segment_id, profile_id, is_member, since)
    select 'benchmark', s.id, p.id, true, now() from profiles p, segments s`)
  await db.query(`insert into consent_ledger (workspace_id, environment, subject, channel, new_value, source, key_id)
    select 'benchmark', 'live', encode(sha256(id::bytea), 'hex'), 'channel' || i, true, 'identify', gen_random_uuid()
    from profiles, generate_series(1, ${DECISIONS}) i`)
}

async function fillEvents(db, events, people) {
  await db.query('create table events_today (like events including all)')
  await db.query(`insert into events_today (workspace_id, environment, batch, received_at, device_id, profile_id, type, block_key, instance_id,
      screen, session_id, platform, occurred_at)
    select 'benchmark', 'live', i / 1000, now(), d.device_id, d.profile_id, 'impression', 'home_hero', gen_random_uuid(), 'home',
      d.device_id, 'ios', now()
    from generate_series(1, ${events}) i
    join (select row_number() over () as number, device_id, profile_id from devices) d on d.number = i % ${people} + 1`)
  await db.query(`insert into event_ids (workspace_id, id, received_at)
    select 'benchmark', gen_random_uuid(), now() from generate_series(1, ${events})`)
}

async function sizeOf(db, tables) {
  for (const table of tables) await db.query(`vacuum analyze ${table}`)
  const { rows } = await db.query('select sum(pg_total_relation_size(name::regclass))::bigint as bytes from unnest($1::text[]) as name', [
    tables,
  ])
  return Number(rows[0].bytes)
}
