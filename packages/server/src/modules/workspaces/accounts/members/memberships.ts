import { administers } from '@contentflow/core/access/permissions.ts'
import { lacksSecondFactor } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Db } from '../../../../db/open.ts'
import type { SessionOf } from '../../../../http/callers/caller.ts'
import { listMemberships, type Membership } from './queries-members.ts'

/** The workspaces of an account that a session opens, and those that want a second factor first. */
export async function membershipsIn(
  db: Db,
  accountId: string,
  { amr, workspaceId }: Pick<SessionOf, 'amr' | 'workspaceId'>,
): Promise<(Omit<Membership, 'secondFactor'> & { needsSecondFactor?: true })[]> {
  const memberships = await listMemberships(db, accountId, workspaceId)
  return memberships.map(({ secondFactor, ...membership }) => ({
    ...membership,
    ...(lacksSecondFactor(secondFactor, administers(membership.role, membership.permissions), amr) && { needsSecondFactor: true as const }),
  }))
}
