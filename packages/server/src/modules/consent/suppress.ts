import { consentChanges, suppress, unsuppress } from '@contentflow/core/identity/consent.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals.ts'
import { untilUndisturbed } from '../../infra/unavailable.ts'
import {
  appendLedger,
  findOwnEnvironment,
  findPerson,
  findSubjectSalt,
  hashSubject,
  listErased,
  lockProfile,
  subjectOfPerson,
  updateProfile,
} from '../people/index.ts'
import { reevaluateProfiles } from '../segments/index.ts'
import { lockChannels, updateChannels, type ChannelRow } from './queries.ts'

export type Changed = { userId: string; status: 'changed' | 'unchanged' | 'not_found' }

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
): Promise<Changed[]> {
  const { found, changed } = await untilUndisturbed(() =>
    ctx.db.transaction().execute((tx) => writeSuppression(tx, workspaceId, userIds, source, accountId, ctx.clock.now())),
  )
  if (changed.length > 0)
    await reevaluateProfiles(
      ctx,
      workspaceId,
      changed.map(({ id }) => id),
    )
  const known = new Set(found.map(({ userId }) => userId))
  const moved = new Set(changed.map(({ userId }) => userId))
  return [...new Set(userIds)].map((userId) => ({
    userId,
    status: moved.has(userId) ? 'changed' : known.has(userId) ? 'unchanged' : 'not_found',
  }))
}

async function writeSuppression(
  tx: Db,
  workspaceId: string,
  userIds: readonly string[],
  source: 'suppress' | 'unsuppress',
  accountId: string,
  now: Date,
) {
  const step = source === 'suppress' ? suppress : unsuppress
  const salt = await findSubjectSalt(tx, workspaceId)
  const environment = await findOwnEnvironment(tx, workspaceId)
  const found = await withoutErased(tx, { workspaceId, environment }, salt, await lockChannels(tx, workspaceId, environment, userIds))
  const changed = found.flatMap((row) => {
    const after = step(row)
    return after ? [{ ...row, after }] : []
  })
  await updateChannels(
    tx,
    workspaceId,
    changed.map(({ id, after }) => ({ id, ...after })),
    now,
  )
  const decided = changed.map((row) => ({ subject: hashSubject(salt, 'user', row.userId), changes: consentChanges(row, row.after) }))
  await appendLedger(tx, { workspaceId, environment }, decided, { source, keyId: accountId })
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
  await ctx.db.transaction().execute(async (tx: Db) => {
    const environment = await findOwnEnvironment(tx, workspaceId)
    const person = await findPerson(tx, workspaceId, environment, userId)
    const profile = person && (await lockProfile(tx, workspaceId, person.id))
    if (!profile) failWith(404, 'person not found')
    const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
    if ((await listErased(tx, workspaceId, environment, [subject])).size > 0) fail('SUBJECT_ERASED')
    if (profile.personal_opt_out === isOptedOut) return
    await updateProfile(tx, workspaceId, profile.id, { personal_opt_out: isOptedOut, updated_at: ctx.clock.now() })
    const changes = [{ channel: 'personalOptOut', oldValue: profile.personal_opt_out, newValue: isOptedOut }]
    await appendLedger(tx, { workspaceId, environment }, [{ subject, changes }], { source: 'opt_out', keyId: accountId })
  })
}
