/** What the routes of access take and answer. */
import type { AccessRole, EndingCredential, Permissions, ServiceAccount } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'

export const ROLES = '/roles'
export const SERVICES = '/service-accounts'
/** Stale with every token or key that is made, replaced or taken back. */
export const ENDING = '/access/ending'

export const useRoles = () => useRead<{ roles: AccessRole[] }>(ROLES)
export const useServices = () => useRead<{ serviceAccounts: ServiceAccount[] }>(SERVICES)
/** Tokens and keys that are about to end, of those that the person may replace; asked for by whoever may replace any. */
export function useEnding(): readonly EndingCredential[] {
  const { mayEdit } = useSession()
  return useRead<{ ending: EndingCredential[] }>(ENDING, {}, { when: mayEdit }).data?.ending ?? []
}
export const usePermissions = () => useRead<Permissions>('/access/permissions')

/** Names that somebody typed, with commas between them. */
export function namesOf(text: string): string[] {
  return text
    .split(/[,،]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
