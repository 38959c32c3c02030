/** Users as a directory sends them. What becomes of members by it, `followDirectory` of accounts decides. */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { readEmail } from '@contentflow/core/identity/contact.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { matches, valueOf, type Condition } from '@contentflow/core/scim/filter.ts'
import { USER, type Element, type Resource } from '@contentflow/core/scim/shapes.ts'
import { missingIn, textOf } from '@contentflow/core/scim/values.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { followDirectory, leaveDirectory, lockSettings } from '../workspaces/index.ts'
import { ScimError } from './scim-error.ts'
import * as queries from './queries-users.ts'
import type { StoredUser } from './queries-users.ts'

/** Which part of a list is asked for. `startIndex` counts from 1. */
export type ListAsked = { conditions: readonly Condition[]; startIndex: number; count: number }

export async function listUsers(
  db: Db,
  workspaceId: string,
  { conditions, startIndex, count }: ListAsked,
): Promise<{ total: number; users: StoredUser[] }> {
  const offset = startIndex - 1
  if (conditions.length === 0) {
    const total = await queries.countUsers(db, workspaceId)
    return { total, users: offset < total && count > 0 ? await queries.listPage(db, workspaceId, { offset, limit: count }) : [] }
  }
  const [userName, externalId] = [valueOf(conditions, 'username'), valueOf(conditions, 'externalid')]
  const by = { id: valueOf(conditions, 'id'), userName: userName === undefined ? undefined : foldEmail(userName), externalId }
  const found = (await queries.listUsers(db, workspaceId, by)).filter(({ id, resource }) => matches(USER, { ...resource, id }, conditions))
  return { total: found.length, users: found.slice(offset, offset + count) }
}

export async function createUser(ctx: Context, caller: MemberCaller, resource: Resource): Promise<StoredUser> {
  return ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    if ((await queries.countUsers(tx, workspaceId)) >= LIMITS.scimUsers)
      failWith(403, `A workspace takes at most ${LIMITS.scimUsers} users from a directory`)
    const id = uuidv7(now.getTime())
    const columns = toColumns({ active: true, ...resource })
    await refuseTaken(tx, workspaceId, id, columns)
    await queries.insertUser(tx, workspaceId, id, columns, now)
    const user = await requireUser(tx, workspaceId, id)
    change.audited('scim-user', id, undefined, shown(user))
    await followDirectory(ctx, change, [id])
    return user
  })
}

/** `make`: what becomes of it. What changes nothing keeps its version. */
type UserChange = { expectedVersion: number | undefined; make: (before: Resource) => Resource }

export async function changeUser(
  ctx: Context,
  caller: MemberCaller,
  id: string,
  { expectedVersion, make }: UserChange,
): Promise<StoredUser> {
  return ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    const before = await requireUser(tx, workspaceId, id)
    requireVersion(before, expectedVersion)
    const resource = make(before.resource)
    if (canonicalJson(resource) !== canonicalJson(before.resource)) {
      const columns = toColumns(resource)
      await refuseTaken(tx, workspaceId, id, columns)
      await queries.updateUser(tx, workspaceId, id, { ...columns, version: before.version + 1 }, now)
    }
    const after = await requireUser(tx, workspaceId, id)
    change.audited('scim-user', id, shown(before), shown(after))
    await followDirectory(ctx, change, [id])
    return after
  })
}

export async function removeUser(ctx: Context, caller: MemberCaller, id: string, expectedVersion: number | undefined): Promise<void> {
  await ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    const before = await requireUser(tx, workspaceId, id)
    requireVersion(before, expectedVersion)
    await queries.updateUser(tx, workspaceId, id, { ...toColumns({ ...before.resource, active: false }), version: before.version + 1 }, now)
    await followDirectory(ctx, change, [id])
    await leaveDirectory(tx, workspaceId, id)
    await queries.deleteUser(tx, workspaceId, id, now)
    change.audited('scim-user', id, shown(before), undefined)
  })
}

export async function requireUser(db: Db, workspaceId: string, id: string): Promise<StoredUser> {
  return (await queries.findUser(db, workspaceId, id)) ?? failWith(404, 'There is no user with this id')
}

/** Throws 412 when it is another version by now. */
export function requireVersion({ version }: { version: number }, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) fail('VERSION_CHANGED')
}

/** For the audit log: the digest tells nobody who it is. */
function shown({ resource, version }: StoredUser): object {
  return { active: resource['active'], version }
}

async function refuseTaken(tx: Db, workspaceId: string, id: string, columns: queries.UserColumns): Promise<void> {
  if (await queries.isTaken(tx, workspaceId, id, columns))
    throw new ScimError(409, 'uniqueness', 'Another user has this userName or externalId')
}

/** Throws 400 for a user without a name. */
function toColumns(resource: Resource): queries.UserColumns {
  const missing = missingIn(USER, resource)
  if (missing !== undefined) throw new ScimError(400, 'invalidValue', `${missing} is missing`)
  const email = emailOf((resource['emails'] ?? []) as readonly Element[])
  return {
    external_id: textOf(resource['externalId']) ?? null,
    user_name_folded: foldEmail(textOf(resource['userName']) ?? ''),
    email_folded: email === undefined ? null : foldEmail(email),
    active: resource['active'] !== false,
    resource: JSON.stringify(resource),
  }
}

/** The address by which somebody is known: the primary one, else that of work, else the first. */
function emailOf(emails: readonly Element[]): string | undefined {
  const chosen = emails.find(({ primary }) => primary === true) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  return readEmail(chosen?.['value'])
}
