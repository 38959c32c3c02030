import { consentChanges, suppress, unsuppress } from '@contentflow/core/identity/consent/consent.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import {
  appendLedger,
  findOwnEnvironment,
  findPerson,
  findSubjectSalt,
  hashSubject,
  listDeviceIds,
  listErased,
  lockProfile,
  lockUsers,
  patchProfile,
  subjectOfPerson,
  updateUsers,
  writePeople,
  type ChannelRow,
} from '../people/index.ts'
import { changePeople, type PeopleChange } from '../segments/index.ts'

export type SuppressionResult = { userId: string; status: 'changed' | 'unchanged' | 'not_found' }

/**
 * M-SUPP: suppresses, or lifts it, for many people in one transaction of a few statements. Whoever is in that
 * state already is left as they are, so the first saved flags stay (M-SUPP-05).
 */
export async function changeSuppression(
  ctx: Context,
  workspaceId: string,
  userIds: readonly string[],
  source: 'suppress' | 'unsuppress',
  accountId: string,
): Promise<SuppressionResult[]> {
  const { found, changed } = await changePeople(ctx, { workspaceId, actor: accountId }, (change) =>
    writeSuppression(change, userIds, source),
  )
  const known = new Set(found.map(({ userId }) => userId))
  const moved = new Set(changed.map(({ userId }) => userId))
  return [...new Set(userIds)].map((userId) => ({
    userId,
    status: moved.has(userId) ? 'changed' : known.has(userId) ? 'unchanged' : 'not_found',
  }))
}

async function writeSuppression(change: PeopleChange, userIds: readonly string[], source: 'suppress' | 'unsuppress') {
  const { tx, now, workspaceId, actor } = change
  const step = source === 'suppress' ? suppress : unsuppress
  const salt = await findSubjectSalt(tx, workspaceId)
  const environment = await findOwnEnvironment(tx, workspaceId)
  const found = await withoutErased(tx, { workspaceId, environment }, salt, await lockUsers(tx, workspaceId, environment, userIds))
  const changed = found.flatMap((row) => {
    const after = step(row)
    return after ? [{ ...row, after }] : []
  })
  await updateUsers(
    tx,
    workspaceId,
    changed.map(({ id, userId, after }) => ({ id, userId, ...after })),
    now,
  )
  const decided = changed.map((row) => ({ subject: hashSubject(salt, 'user', row.userId), changes: consentChanges(row, row.after) }))
  await appendLedger(tx, { workspaceId, environment }, decided, { source, keyId: actor })
  for (const { id, userId } of changed) {
    change.changed(id)
    change.auditedPerson(userId)
  }
  return { found, changed }
}

/** whoever is being erased is nobody any more. */
async function withoutErased(
  tx: Db,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  salt: string,
  rows: readonly ChannelRow[],
): Promise<ChannelRow[]> {
  const subjects = rows.map(({ userId }) => hashSubject(salt, 'user', userId))
  const erased = await listErased(tx, workspaceId, environment, subjects)
  return rows.filter((_, index) => !erased.has(subjects[index] ?? ''))
}

/** G-69: a member records, or lifts, the person's opt-out of every outbound channel. */
export async function setOptOut(ctx: Context, workspaceId: string, userId: string, isOptedOut: boolean, accountId: string): Promise<void> {
  await writePeople(ctx, { workspaceId, actor: accountId }, async ({ tx, now, emit }) => {
    const environment = await findOwnEnvironment(tx, workspaceId)
    const person = await findPerson(tx, workspaceId, environment, userId)
    const profile = person && (await lockProfile(tx, workspaceId, person.id))
    if (!profile) failWith(404, 'person not found')
    const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
    if ((await listErased(tx, workspaceId, environment, [subject])).size > 0) fail('SUBJECT_ERASED')
    if (profile.personal_opt_out === isOptedOut) return
    await patchProfile(tx, workspaceId, profile.id, { personal_opt_out: isOptedOut, updated_at: now })
    const changes = [{ channel: 'personalOptOut', oldValue: profile.personal_opt_out, newValue: isOptedOut }]
    await appendLedger(tx, { workspaceId, environment }, [{ subject, changes }], { source: 'opt_out', keyId: accountId })
    // What is shown inside the app is another now.
    for (const deviceId of await listDeviceIds(tx, workspaceId, [profile.id])) emit({ kind: 'device', workspaceId, deviceId })
  })
}
