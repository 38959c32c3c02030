/** Groups as a directory sends them. What they give, the mapping of the provider says. */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { matches, valueOf, type Condition } from '@contentflow/core/scim/filter.ts'
import { GROUP, type Element, type Resource } from '@contentflow/core/scim/shapes.ts'
import { missingIn, textOf } from '@contentflow/core/scim/values.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { followDirectory, lockSettings } from '../workspaces/index.ts'
import { ScimError } from './scim-error.ts'
import * as queries from './queries-groups.ts'
import type { StoredGroup } from './queries-groups.ts'
import { requireVersion, type ListAsked } from './users.ts'

/** `memberIds` undefined: they were not asked for. */
export type GroupWithMembers = { group: StoredGroup; memberIds: string[] | undefined }

/** People in the groups of one page. A page that would have more is shorter, as it may be. */
const MOST_PEOPLE = 20_000

export async function listGroups(
  db: Db,
  workspaceId: string,
  { conditions, startIndex, count, withMembers }: ListAsked & { withMembers: boolean },
): Promise<{ total: number; groups: GroupWithMembers[] }> {
  const name = valueOf(conditions, 'displayname')
  const memberIds = conditions.flatMap(memberIdIn)
  const by = { id: valueOf(conditions, 'id'), name: name === undefined ? undefined : foldEmail(name), memberIds }
  const found = await queries.listGroups(db, workspaceId, { ...by, externalId: valueOf(conditions, 'externalid') })
  // Whoever is asked for is in these groups: the others in them need not be read to see it.
  const members = memberIds.map((value) => ({ value }))
  const meant = found.filter((group) => matches(GROUP, { ...resourceOf(group, []), id: group.id, members }, conditions))
  const page = meant.slice(startIndex - 1, startIndex - 1 + count)
  if (!withMembers) return { total: meant.length, groups: page.map((group) => ({ group, memberIds: undefined })) }
  const people = await queries.listMembers(
    db,
    workspaceId,
    page.map(({ id }) => id),
    MOST_PEOPLE,
  )
  const groups = page.flatMap((group) => (people.has(group.id) ? [{ group, memberIds: people.get(group.id) ?? [] }] : []))
  return { total: meant.length, groups }
}

/** `members eq "id"`, `members.value eq "id"`, and `members[value eq "id"]`. */
function memberIdIn({ path, where, value }: Condition): string[] {
  if (path[0] !== 'members') return []
  const said = where ? where.map((each) => each.value) : [value]
  return said.filter((each) => typeof each === 'string')
}

export async function findWithMembers(db: Db, workspaceId: string, id: string, withMembers = true): Promise<GroupWithMembers> {
  const group = await requireGroup(db, workspaceId, id)
  if (!withMembers) return { group, memberIds: undefined }
  return { group, memberIds: (await queries.listMembers(db, workspaceId, [id], LIMITS.scimUsers)).get(id) ?? [] }
}

export async function requireGroup(db: Db, workspaceId: string, id: string): Promise<StoredGroup> {
  return (await queries.findGroup(db, workspaceId, id)) ?? failWith(404, 'There is no group with this id')
}

export async function createGroup(ctx: Context, caller: MemberCaller, resource: Resource): Promise<GroupWithMembers> {
  return ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    if ((await queries.countGroups(tx, workspaceId)) >= LIMITS.scimGroups)
      failWith(403, `A workspace takes at most ${LIMITS.scimGroups} groups from a directory`)
    const id = uuidv7(now.getTime())
    const columns = toColumns(resource)
    await refuseTaken(tx, workspaceId, id, columns)
    await queries.insertGroup(tx, workspaceId, id, columns, now)
    const memberIds = await queries.listKnownUsers(tx, workspaceId, memberIdsOf(resource))
    await queries.insertMembers(tx, workspaceId, id, memberIds)
    change.audited('scim-group', id, undefined, shown(columns, memberIds))
    if (memberIds.length > 0) await followDirectory(ctx, change, memberIds)
    return findWithMembers(tx, workspaceId, id)
  })
}

/** `make`: what becomes of it. What changes nothing keeps its version. */
type GroupChange = { expectedVersion: number | undefined; make: (before: Resource) => Resource }

export async function changeGroup(
  ctx: Context,
  caller: MemberCaller,
  id: string,
  { expectedVersion, make }: GroupChange,
): Promise<GroupWithMembers> {
  return ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    const { group, memberIds: were = [] } = await findWithMembers(tx, workspaceId, id)
    requireVersion(group, expectedVersion)
    const resource = make(resourceOf(group, were))
    const [before, columns] = [toColumns(resourceOf(group, [])), toColumns(resource)]
    const are = await queries.listKnownUsers(tx, workspaceId, memberIdsOf(resource))
    const [added, gone] = [without(are, were), without(were, are)]
    const isRenamed = canonicalJson(before) !== canonicalJson(columns)
    if (!isRenamed && added.length + gone.length === 0) return { group, memberIds: were }
    await refuseTaken(tx, workspaceId, id, columns)
    await queries.updateGroup(tx, workspaceId, id, { ...columns, version: group.version + 1 }, now)
    await queries.insertMembers(tx, workspaceId, id, added)
    await queries.deleteMembers(tx, workspaceId, id, gone)
    change.audited('scim-group', id, shown(before, were), shown(columns, are))
    await followDirectory(ctx, change, isRenamed ? [...are, ...gone] : [...added, ...gone])
    return findWithMembers(tx, workspaceId, id)
  })
}

export async function removeGroup(ctx: Context, caller: MemberCaller, id: string, expectedVersion: number | undefined): Promise<void> {
  await ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId } = change
    await lockSettings(tx, workspaceId)
    const { group, memberIds = [] } = await findWithMembers(tx, workspaceId, id)
    requireVersion(group, expectedVersion)
    await queries.deleteGroup(tx, workspaceId, id)
    change.audited('scim-group', id, shown(toColumns(resourceOf(group, [])), memberIds), undefined)
    if (memberIds.length > 0) await followDirectory(ctx, change, memberIds)
  })
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const known = new Set(some)
  return all.filter((each) => !known.has(each))
}

/** For the audit log. */
function shown({ display_name: displayName, external_id: externalId }: queries.GroupColumns, memberIds: readonly string[]): object {
  return { displayName, externalId, memberIds: memberIds.toSorted() }
}

function resourceOf({ displayName, externalId }: StoredGroup, memberIds: readonly string[]): Resource {
  return { displayName, ...(externalId !== null && { externalId }), members: memberIds.map((value) => ({ value })) }
}

function memberIdsOf(resource: Resource): string[] {
  return ((resource['members'] ?? []) as readonly Element[]).map(({ value }) => String(value))
}

async function refuseTaken(tx: Db, workspaceId: string, id: string, columns: queries.GroupColumns): Promise<void> {
  if (await queries.isTaken(tx, workspaceId, id, columns))
    throw new ScimError(409, 'uniqueness', 'Another group has this displayName or externalId')
}

/** Throws 400 for a group without a name. */
function toColumns(resource: Resource): queries.GroupColumns {
  const missing = missingIn(GROUP, resource)
  if (missing !== undefined) throw new ScimError(400, 'invalidValue', `${missing} is missing`)
  const displayName = textOf(resource['displayName']) ?? ''
  return {
    external_id: textOf(resource['externalId']) ?? null,
    display_name: displayName,
    name_folded: foldEmail(displayName),
  }
}
