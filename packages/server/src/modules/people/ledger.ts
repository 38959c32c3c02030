import { createHmac } from 'node:crypto'
import type { Channels, ConsentChange } from '@contentflow/core/identity/consent/consent.ts'
import type { Decisions } from '@contentflow/core/identity/consent/decisions.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { findSubjectSalt, insertLedger, listAgreements, listSubjects, type DeviceRow, type ProfileRow } from './queries.ts'

export type SubjectKind = 'user' | 'device'

/** The name of a person in the ledger and in tombstones. Without the workspace's salt an id cannot be tested against it. */
export function hashSubject(salt: string, kind: SubjectKind, id: string): string {
  return createHmac('sha256', salt).update(`${kind}:${id}`).digest('hex')
}

/** The subject of a profile or a device without one. */
export function subjectOfPerson(salt: string, person: { user_id: string | null; device_id: string | null }): string {
  return person.user_id === null ? hashSubject(salt, 'device', person.device_id ?? '') : hashSubject(salt, 'user', person.user_id)
}

/** The origin of a decision. `keyId`: the application key, or the account of the member. */
export type ConsentOrigin = {
  source:
    | 'identify'
    | 'consent'
    | 'consent_full'
    | 'merge'
    | 'bulk'
    | 'suppress'
    | 'unsuppress'
    | 'opt_out'
    | 'unsubscribe'
    | 'confirm_email'
    | 'browser_signal'
    | 'inbound'
    | 'preferences'
    | 'erase'
  keyId: string
  preset?: string
  presetVersion?: string
  textHash?: string
  locale?: string
}

/** The decisions of a person, or of a device without one. */
export function decisionsOf(row: ProfileRow | DeviceRow): Decisions {
  return {
    channels: row.channels as Channels,
    saved: 'saved_channels' in row ? (row.saved_channels as Channels | null) : null,
    personalOptOut: row.personal_opt_out,
    topics: row.consent_topics as Decisions['topics'],
    requiredConsents: row.required_consents as Decisions['requiredConsents'],
    ...('max_messages_a_week' in row && { maxMessagesAWeek: row.max_messages_a_week }),
  }
}

/** The columns that hold decisions; a device has no `saved_channels` and no limit of messages. */
export function decisionColumns({ channels, personalOptOut, topics, requiredConsents }: Decisions) {
  return {
    channels: JSON.stringify(channels),
    personal_opt_out: personalOptOut,
    consent_topics: JSON.stringify(topics),
    required_consents: JSON.stringify(requiredConsents),
  }
}

/** When these people last agreed to a channel, by the ledger; those who never did are left out. */
export async function listAgreed(db: Db, workspaceId: string, profileIds: readonly string[], channel: string): Promise<Map<string, Date>> {
  const salt = await findSubjectSalt(db, workspaceId)
  const people = await listSubjects(db, workspaceId, profileIds)
  const bySubject = new Map(people.map((person) => [subjectOfPerson(salt, person), person.id]))
  const agreed = await listAgreements(db, workspaceId, [...bySubject.keys()], channel)
  return new Map(agreed.map(({ subject, at }) => [bySubject.get(subject) ?? '', at]))
}

/** The changes for one subject. */
export type Decided = { subject: string; changes: readonly ConsentChange[] }

/** Adds changes to the ledger, inside the transaction that makes them. Entries are written nowhere else. */
export async function appendLedger(
  tx: Db,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  decided: readonly Decided[],
  { source, keyId, preset, presetVersion, textHash, locale }: ConsentOrigin,
): Promise<void> {
  const origin = {
    source,
    preset: preset ?? null,
    preset_version: presetVersion ?? null,
    text_hash: textHash ?? null,
    locale: locale ?? null,
    key_id: keyId,
  }
  const entries = decided.flatMap(({ subject, changes }) =>
    changes.map(({ channel, oldValue, newValue }) => ({ subject, channel, old_value: oldValue, new_value: newValue })),
  )
  await insertLedger(tx, { workspace_id: workspaceId, environment, ...origin }, entries)
}
