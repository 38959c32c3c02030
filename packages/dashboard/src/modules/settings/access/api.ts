/** What the routes of access take and answer. */
import type { AccessRole, Permissions, ServiceAccount } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'

export const ROLES = '/roles'
export const SERVICES = '/service-accounts'

export const useRoles = () => useRead<{ roles: AccessRole[] }>(ROLES)
export const useServices = () => useRead<{ serviceAccounts: ServiceAccount[] }>(SERVICES)
export const usePermissions = () => useRead<Permissions>('/access/permissions')

/** Names that somebody typed, with commas between them. */
export function namesOf(text: string): string[] {
  return text
    .split(/[,،]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
