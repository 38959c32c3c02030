import type { AuditActor, AuditEntry, AuditObject } from '@contentflow/core/audit/entry.ts'
import { Nullable, Time, Type } from '../../http/schema.ts'

const Kind = Type.Enum(['member', 'service', 'key', 'operator', 'system'])
export const OUTCOMES = ['done', 'refused', 'failed', 'read'] as const
const Outcome = Type.Enum([...OUTCOMES])
const Actor = Type.Object({
  kind: Kind,
  id: Type.String(),
  owner: Type.Optional(Type.String({ description: 'Of a service account: who answers for it' })),
  name: Nullable(Type.String({ description: 'As they are called now; null: of somebody who is not there any more' })),
})
const Entry = {
  seq: Type.Integer(),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  actor: Actor,
  action: Type.String({ description: 'The operationId of the route, or the name of the work' }),
  object: Type.Optional(
    Type.Object({
      kind: Type.String(),
      id: Type.String({ description: 'Of a person or a device a keyed hash' }),
      revision: Type.Optional(Type.Integer()),
      name: Nullable(Type.String({ description: 'As it is called now, where it is there and has a name' })),
    }),
  ),
  outcome: Outcome,
  before: Type.Optional(Type.String({ description: 'Digest of the object before, without secrets' })),
  after: Type.Optional(Type.String({ description: 'Digest of the object after' })),
  members: Type.Optional(Type.Array(Type.String(), { description: 'Names of what changed' })),
  more: Type.Optional(Type.Integer({ description: 'Further objects of the same change without an entry of their own' })),
  requestId: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  userAgent: Type.Optional(Type.String()),
  session: Type.Optional(Type.String({ description: 'The beginning of the hash of the session' })),
  reason: Type.Optional(Type.String({ description: 'The code of the refusal' })),
}
export const EntrySchema = Type.Object(Entry)
export const BoundEntrySchema = Type.Object({
  ...Entry,
  hash: Type.String({ description: 'sha256 of prev and the entry, in hex' }),
  prev: Type.String({ description: 'The hash of the entry before it' }),
})
export const VerdictSchema = Type.Object({
  checked: Type.Integer(),
  fault: Nullable(
    Type.Object({
      seq: Type.Integer({ description: 'The first entry that is not as it was written' }),
      kind: Type.Enum(['changed', 'missing', 'reordered', 'truncated', 'checkpoint']),
    }),
  ),
  ms: Type.Integer(),
})
export const SettingsSchema = Type.Object({
  retentionDays: Type.Integer(),
  recordReads: Type.Boolean(),
  entries: Type.Integer({ description: 'How many are kept' }),
  lastCheck: Nullable(Type.Object({ at: Time, fault: VerdictSchema.properties.fault })),
})

/** Names that entries leave out, as they are now. */
export type NamesOf = { ofActor(actor: AuditActor): string | null; ofObject(object: AuditObject): string | null }

/** An entry with the names of whoever did it and of what it was done to. */
export function presentEntry(text: string, { ofActor, ofObject }: NamesOf) {
  const { actor, object, members, ...entry } = JSON.parse(text) as AuditEntry
  return {
    ...entry,
    actor: { ...actor, name: ofActor(actor) },
    ...(object && { object: { ...object, name: ofObject(object) } }),
    ...(members && { members: [...members] }),
  }
}
