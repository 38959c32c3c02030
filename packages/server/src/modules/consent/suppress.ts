import { consentChanges, suppress, unsuppress, type ChannelState } from '@contentflow/core/identity/consent.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { untilUndisturbed } from '../../infra/unavailable.ts'
import {
  findPerson,
  findSubjectSalt,
  hashSubject,
  insertLedger,
  listErased,
  lockProfile,
  subjectOfPerson,
  appendLedger,
  updateProfile,
} from '../people/index.ts'
import type { LedgerRow } from '../people/index.ts'
import { reevaluateProfiles } from '../segments/index.ts'
import { lockChannels, updateChannels, type ChannelRow } from './queries.ts'

export type Changed = { userId: string; status: 'changed' | 'unchanged' | 'not_found' }

/**
 * M-SUPP: suppresses, or lifts it, for many live people in one transaction of a few statements. Whoever is in that
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
  const ids = changed.map(({ row }) => row.id)
  if (ids.length > 0) await reevaluateProfiles(ctx, workspaceId, ids)
  const known = new Set(found.map(({ userId }) => userId))
  const moved = new Set(changed.map(({ row }) => row.userId))
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
  const found = await withoutErased(tx, workspaceId, salt, await lockChannels(tx, workspaceId, userIds))
  const changed = found.flatMap((row) => {
    const after = step(row)
    return after ? [{ row, after }] : []
  })
  const rows = changed.map(({ row, after }) => ({ id: row.id, ...after }))
  await updateChannels(tx, workspaceId, rows, now)
  await insertLedger(tx, ledgerRows(workspaceId, salt, changed, source, accountId))
  return { found, changed }
}

/** whoever is being erased is nobody any more. */
async function withoutErased(tx: Db, workspaceId: string, salt: string, rows: readonly ChannelRow[]): Promise<ChannelRow[]> {
  const subjects = rows.map(({ userId }) => hashSubject(salt, 'user', userId))
  const erased = await listErased(tx, workspaceId, 'live', subjects)
  return rows.filter((_, index) => !erased.has(subjects[index] ?? ''))
}

function ledgerRows(
  workspaceId: string,
  salt: string,
  changed: readonly { row: ChannelRow; after: ChannelState }[],
  source: string,
  accountId: string,
): LedgerRow[] {
  const fixed = {
    workspace_id: workspaceId,
    environment: 'live',
    source,
    preset: null,
    preset_version: null,
    text_hash: null,
    locale: null,
    key_id: accountId,
  }
  return changed.flatMap(({ row, after }) => {
    const subject = hashSubject(salt, 'user', row.userId)
    return consentChanges(row, after).map(({ channel, oldValue, newValue }) => ({
      ...fixed,
      subject,
      channel,
      old_value: oldValue,
      new_value: newValue,
    }))
  })
}

/** G-69: a member records, or lifts, the person's opt-out of every outbound channel. */
export async function setOptOut(ctx: Context, workspaceId: string, userId: string, isOptedOut: boolean, accountId: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx: Db) => {
    const person = await findPerson(tx, workspaceId, 'live', userId)
    const profile = person && (await lockProfile(tx, workspaceId, person.id))
    if (!profile) failWith(404, 'person not found')
    const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
    if ((await listErased(tx, workspaceId, 'live', [subject])).size > 0) fail('SUBJECT_ERASED')
    if (profile.personal_opt_out === isOptedOut) return
    await updateProfile(tx, workspaceId, profile.id, { personal_opt_out: isOptedOut, updated_at: ctx.clock.now() })
    const change = { channel: 'personalOptOut', oldValue: profile.personal_opt_out, newValue: isOptedOut }
    await appendLedger(tx, { workspaceId, environment: 'live', subject }, [change], { source: 'opt_out', keyId: accountId })
  })
}
