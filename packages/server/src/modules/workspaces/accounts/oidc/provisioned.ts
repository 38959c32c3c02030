/**
 * What a directory sends by SCIM and what people are here (decision 87): a row is theirs who sign in as it says; groups that the
 * directory sends count instead of those of tokens; who is not active there is no member here.
 */
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { rolesFromGroups, type Granted } from '@contentflow/core/sign-in/groups.ts'
import { domainOf, type DirectoryRole, type GroupRow } from '@contentflow/core/sign-in/provider.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import type { Change } from '../../../../infra/change.ts'
import { findOwnRole } from '../members/queries-roles.ts'
import { isAsGiven, writeMemberships } from './directory-members.ts'
import type { Provider } from './providers.ts'
import { listStandingsIn } from './queries-directory.ts'
import * as queries from './queries-provisioned.ts'
import { findIdentity, findIdentityByEmail, isDomainProven, listProviders, type ProviderRow } from './queries-providers.ts'
import type { PersonAtProvider } from './read-person.ts'

/** What decides about roles. */
type Rules = { workspaceId: string | null; mapping: readonly GroupRow[]; defaultRole: DirectoryRole | null }

/** What somebody who signs in is given, and the row of the directory that is theirs. */
export type Given = { granted: Granted[]; row?: queries.Provisioned }

export async function givenTo(db: Db, provider: Provider, person: PersonAtProvider): Promise<Given> {
  const rules = await withRolesThatAreThere(db, provider)
  const { workspaceId } = provider
  const row = workspaceId === null ? undefined : await findRow(db, { ...provider, workspaceId }, person)
  if (!row || workspaceId === null) return { granted: rolesOf(rules, person.groups) }
  if (!row.active) return { granted: [], row }
  if (!(await queries.sendsGroups(db, workspaceId))) return { granted: rolesOf(rules, person.groups), row }
  const groups = (await queries.listGroupsOf(db, workspaceId, [row.id])).get(row.id) ?? []
  return { granted: rolesOf(rules, groups), row }
}

function rolesOf({ workspaceId, mapping, defaultRole }: Rules, groups: readonly string[]): Granted[] {
  const workspaceIds = workspaceId === null ? mapping.map((row) => row.workspaceId) : [workspaceId]
  return rolesFromGroups({ mapping, defaultRole, workspaceIds }, groups)
}

/** Rows with a role that was deleted meanwhile give nothing. */
async function withRolesThatAreThere<R extends Rules>(db: Db, rules: R): Promise<R> {
  const mapping: GroupRow[] = []
  for (const row of rules.mapping) if (row.roleId === undefined || (await findOwnRole(db, row.workspaceId, row.roleId))) mapping.push(row)
  return { ...rules, mapping }
}

/** By what the directory and the provider both call them; else by who they were before; else by an address of a proven domain. */
async function findRow(db: Db, provider: Provider & { workspaceId: string }, person: PersonAtProvider) {
  const { workspaceId } = provider
  const ids = [person.subject, ...(person.objectId === undefined ? [] : [person.objectId])]
  const named = await queries.findByExternalId(db, workspaceId, ids)
  if (named) return named
  const known = await findIdentity(db, provider.id, person.subject)
  const own = known && (await queries.findByAccount(db, workspaceId, known.accountId))
  if (own || person.email === undefined || !(await isOfProvenDomain(db, provider, person.email))) return own
  return onlyOne(await queries.listWaitingByEmail(db, workspaceId, foldEmail(person.email)), foldEmail(person.email))
}

/** Of two with one address, the one whose user name it is; else nobody knows who is meant. */
function onlyOne([first, second]: queries.Provisioned[], email: string): queries.Provisioned | undefined {
  return second === undefined || first?.userName === email ? first : undefined
}

async function isOfProvenDomain(db: Db, { workspaceId, domains }: { workspaceId: string; domains: readonly string[] }, email: string) {
  const domain = domainOf(email)
  return domain !== undefined && domains.includes(domain) && (await isDomainProven(db, workspaceId, domain))
}

/** Makes the row that of the account that has just signed in. Whoever it was before loses what the directory gave them. */
export async function claimRow(
  ctx: Context,
  tx: Db,
  provider: Provider & { workspaceId: string },
  of: { row: queries.Provisioned; accountId: string },
) {
  const { row, accountId } = of
  if (row.accountId === accountId && row.providerId === provider.id) return
  if (row.accountId !== null && row.accountId !== accountId)
    await writeMemberships(ctx, tx, provider, { accountId: row.accountId, granted: [], isProved: false, source: 'scim' })
  await queries.linkTo(tx, provider.workspaceId, row.id, { accountId, providerId: provider.id })
}

/**
 * Makes members what the directory says of these rows, as the last thing of a change that holds the settings. Their
 * sessions end with their membership. The last admin stays; the audit log says so.
 */
export async function followDirectory(ctx: Context, change: Change, userIds: readonly string[]): Promise<void> {
  const { tx, workspaceId } = change
  const providers = await listProviders(tx, workspaceId)
  await linkKnown(tx, workspaceId, providers, userIds)
  const rows = await queries.listLinked(tx, workspaceId, userIds)
  if (rows.length === 0) return
  const accountIds = rows.map(({ accountId }) => accountId)
  const standings = new Map((await listStandingsIn(tx, workspaceId, accountIds)).map((each) => [each.accountId, each]))
  const areGroupsSent = await queries.sendsGroups(tx, workspaceId)
  const groups = await queries.listGroupsOf(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
  const rules = new Map<string, Rules & { changedBy: string | null }>()
  for (const each of providers) rules.set(each.id, await withRolesThatAreThere(tx, rulesOf(workspaceId, each)))
  for (const row of rows) {
    const own = rules.get(row.providerId)
    if (!own) continue
    const directory = { id: row.providerId, changedBy: own.changedBy }
    const standing = standings.get(row.accountId)
    // Their groups are those of their tokens: what they were given at the last sign-in holds.
    if (row.active && !areGroupsSent && standing?.providerId === row.providerId) continue
    const granted = row.active ? rolesOf(own, groups.get(row.id) ?? []) : []
    if (!row.active) await queries.deleteSessionsIn(tx, workspaceId, row.accountId)
    if (!isAsGiven(directory, standing, granted[0], 'scim')) await write(ctx, change, directory, { accountId: row.accountId, granted })
  }
}

function rulesOf(workspaceId: string, { mapping, default_role: defaultRole, changed_by: changedBy }: ProviderRow) {
  return { workspaceId, mapping: mapping as GroupRow[], defaultRole, changedBy }
}

type Writing = { accountId: string; granted: readonly Granted[] }

async function write(ctx: Context, change: Change, directory: { id: string; changedBy: string | null }, { accountId, granted }: Writing) {
  const { tx } = change
  for (const { workspaceId, before, after, isKept } of await writeMemberships(ctx, tx, directory, {
    accountId,
    granted,
    isProved: false,
    source: 'scim',
  })) {
    const shown = (member: typeof before) => member && { role: member.role, roleId: member.roleId, canApprove: member.canApprove }
    if (workspaceId === change.workspaceId)
      change.audited('member', accountId, shown(before), isKept ? { ...shown(after), isLastAdmin: true } : shown(after))
    if (!after && workspaceId === change.workspaceId) await queries.deleteSessionsIn(tx, workspaceId, accountId)
  }
}

/** What the directory forgets it says nothing of: who stayed as the last admin is a member made by hand from now on. */
export async function leaveDirectory(tx: Db, workspaceId: string, userId: string): Promise<void> {
  for (const { accountId } of await queries.listLinked(tx, workspaceId, [userId])) await queries.releaseMember(tx, workspaceId, accountId)
}

/** Rows of people who signed in with a provider of the workspace before the directory sent them. */
async function linkKnown(tx: Db, workspaceId: string, providers: readonly ProviderRow[], userIds: readonly string[]): Promise<void> {
  for (const row of await queries.listWaiting(tx, workspaceId, userIds)) {
    for (const provider of providers) {
      const found = await findKnown(tx, { ...provider, workspaceId }, row)
      // Another row may be theirs already.
      if (!found || (await queries.findByAccount(tx, workspaceId, found.accountId))) continue
      await queries.linkTo(tx, workspaceId, row.id, { accountId: found.accountId, providerId: provider.id })
      break
    }
  }
}

async function findKnown(tx: Db, provider: { id: string; workspaceId: string; domains: readonly string[] }, row: queries.Provisioned) {
  const named = row.externalId === null ? undefined : await findIdentity(tx, provider.id, row.externalId)
  if (named) return named
  for (const email of new Set([row.userName, row.email ?? row.userName]))
    if (email.includes('@') && (await isOfProvenDomain(tx, provider, email))) {
      const found = await findIdentityByEmail(tx, provider.id, email)
      if (found) return found
    }
  return undefined
}
