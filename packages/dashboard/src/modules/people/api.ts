/** The server's answers about people. */
import type { DevicePage, Erasure, LedgerEntry, Member, Person, StoredEvent } from '@contentflow/server/wire.ts'
import { usePages, useRead } from '../../data.ts'
import type { Environment } from '../../ui/environment.tsx'

export type {
  Device,
  DevicePage as DevicePageData,
  Erasure as Receipt,
  LedgerEntry,
  Person,
  PersonRow,
  Profile,
  StoredEvent,
} from '@contentflow/server/wire.ts'
export type ErasurePart = Erasure['parts'][number]
export type Answers = Record<string, boolean>

/** The subject of the page: a user, or an anonymous device. */
export type Subject = { id: string; environment: Environment }

/** The beginning of all addresses about a person; the server takes a user id, or the device id of an anonymous person. */
export function pathOf({ id }: Pick<Subject, 'id'>): string {
  return `/users/${encodeURIComponent(id)}`
}

export function usePerson(subject: Subject, when = true) {
  return useRead<Person>(pathOf(subject), { environment: subject.environment }, { when })
}

export function useDevice(deviceId: string | undefined, environment: Environment) {
  return useRead<DevicePage>(`/devices/${encodeURIComponent(deviceId ?? '')}`, { environment }, { when: deviceId !== undefined })
}

export function useLedger(subject: Subject) {
  return usePages<LedgerEntry>(`${pathOf(subject)}/consents`, 'consents', { environment: subject.environment, limit: 100 })
}

/** How many messages and actions of a person a page has. */
export const PAGE = 20

/** `type` empty: of all types; `from`: since when, an ISO 8601 day. */
export function useEvents(path: string, environment: Environment, { type = '', from = '' }: { type?: string; from?: string } = {}) {
  const narrowed = { ...(type !== '' && { type }), ...(from !== '' && { from }) }
  return usePages<StoredEvent>(`${path}/events`, 'events', { environment, limit: PAGE, ...narrowed })
}

/** The names of members by account, to say who did something. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const { data } = useRead<{ members: Member[] }>('/members', { limit: 200 })
  return new Map((data?.members ?? []).map(({ userId, name, email }) => [userId, name || email]))
}
