/** Requests that people made about their data: recorded, worked, answered within the days of a law (decision 0069). */
import { toClock } from '@contentflow/core/calendar/zoned-time.ts'
import { dueOn, extendedTo, type RequestKind, type RequestLaw } from '@contentflow/core/identity/deadlines.ts'
import { isWaiting, mayBecome, type RequestState } from '@contentflow/core/identity/subject-requests.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Actor, Change } from '../../../infra/change.ts'
import { resealColumn } from '../../../infra/secrets/sealed.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import { findTimeZone } from '../../calendar/index.ts'
import { findOwnEnvironment, findSubjectSalt, subjectOfPerson, type ProfileRow } from '../../people/index.ts'
import { subjectNamed } from '../subject-named.ts'
import {
  areReceipts,
  findExportSince,
  findWaitingOf,
  insertSubjectRequest,
  lockSubjectRequest,
  updateSubjectRequest,
  type SubjectRequestRow,
} from './queries-received.ts'

type Recorded = {
  kind: RequestKind
  law: RequestLaw
  userId?: string | null | undefined
  receivedOn?: string | undefined
  publishedDays?: number | undefined
  note?: string | null | undefined
}

type RequestChange = {
  state?: RequestState | undefined
  extend?: boolean | undefined
  reason?: string | null | undefined
  note?: string | null | undefined
  exportId?: string | null | undefined
  erasureId?: string | null | undefined
}

/** A request with the name of whom it is about, while that is kept, and the day on which it is looked at. */
type ShownRequest = { row: SubjectRequestRow; userId: string | null; today: string }

/** Who handled a request that nobody of the workspace looked at yet. */
const PERSON = 'person'

const placeOf = (workspaceId: string, id: string) => ({ workspaceId, row: `subject_requests/${id}` })

/** The day it is in the workspace. */
export async function todayIn(ctx: Context, db: Db, workspaceId: string): Promise<string> {
  return toClock(ctx.clock.now(), await findTimeZone(db, workspaceId)).slice(0, 10)
}

/** A name that no key opens any more is none; the request stays. */
export function shownRequest(ctx: Context, row: SubjectRequestRow, today: string): ShownRequest {
  try {
    return { row, userId: row.user_id === null ? null : ctx.secrets.open(row.user_id, placeOf(row.workspace_id, row.id)), today }
  } catch (error) {
    ctx.log.warn({ err: error, workspaceId: row.workspace_id, id: row.id }, 'whom a request is about cannot be read')
    return { row, userId: null, today }
  }
}

export async function recordRequest(ctx: Context, by: Actor, recorded: Recorded): Promise<ShownRequest> {
  return ctx.change(by, async (change) => {
    const { tx, now, workspaceId, actor } = change
    const today = await todayIn(ctx, tx, workspaceId)
    const { kind, law, userId = null, receivedOn = today, publishedDays, note = null } = recorded
    if (receivedOn > today) failWith(400, 'receivedOn must not be after today')
    const due = dueOn({ law, kind, receivedOn, publishedDays })
    if (due === undefined) failWith(400, 'publishedDays is not a period that this law takes')
    const environment = await findOwnEnvironment(tx, workspaceId)
    const id = uuidv7(now.getTime())
    const row: SubjectRequestRow = {
      workspace_id: workspaceId,
      id,
      environment,
      kind,
      law,
      subject: userId === null ? null : await subjectNamed(tx, { workspaceId, environment }, userId),
      user_id: userId === null ? null : ctx.secrets.seal(userId, placeOf(workspaceId, id)),
      source: 'member',
      received_on: receivedOn,
      due_on: due,
      extended_to: null,
      reason: null,
      state: 'open',
      handled_by: actor,
      export_id: null,
      erasure_id: null,
      note,
      created_at: now,
      updated_at: now,
      closed_at: null,
    }
    await insertSubjectRequest(tx, row)
    return shownRequest(ctx, row, today)
  })
}

type AskedByPerson = { kind: RequestKind; law: RequestLaw; publishedDays: number | null; profile: ProfileRow }

/**
 * What a person asks on the page of their preferences, inside a change that holds the person. Whoever has a link to it may have it
 * from somebody, so it waits for a look at who asks. A second press while one waits makes no other: the one that waits is returned.
 */
export async function askByPerson(
  ctx: Context,
  { tx, workspaceId, now }: Pick<Change, 'tx' | 'workspaceId' | 'now'>,
  { kind, law, publishedDays, profile }: AskedByPerson,
): Promise<{ row: SubjectRequestRow; isNew: boolean }> {
  const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
  const waiting = await findWaitingOf(tx, workspaceId, { environment: profile.environment, subject, kind })
  if (waiting) return { row: waiting, isNew: false }
  const receivedOn = await todayIn(ctx, tx, workspaceId)
  const due = dueOn({ law, kind, receivedOn, publishedDays: publishedDays ?? undefined }) ?? dueOn({ law, kind, receivedOn }) ?? receivedOn
  const id = uuidv7(now.getTime())
  const row: SubjectRequestRow = {
    workspace_id: workspaceId,
    id,
    environment: profile.environment,
    kind,
    law,
    subject,
    user_id: ctx.secrets.seal(profile.user_id ?? profile.device_id ?? '', placeOf(workspaceId, id)),
    source: 'page',
    received_on: receivedOn,
    due_on: due,
    extended_to: null,
    reason: null,
    state: 'verifying',
    handled_by: PERSON,
    export_id: null,
    erasure_id: null,
    note: null,
    created_at: now,
    updated_at: now,
    closed_at: null,
  }
  await insertSubjectRequest(tx, row)
  return { row, isNew: true }
}

/** 404, and 409 for what is over or cannot be. */
export async function changeRequest(ctx: Context, by: Actor, id: string, asked: RequestChange): Promise<ShownRequest> {
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, actor, now } = change
    const before = await lockSubjectRequest(tx, workspaceId, id)
    if (!isWaiting(before.state)) fail('SUBJECT_REQUEST_OVER')
    const today = await todayIn(ctx, tx, workspaceId)
    const noted: SubjectRequestRow = {
      ...before,
      reason: asked.reason === undefined ? before.reason : asked.reason,
      note: asked.note === undefined ? before.note : asked.note,
      export_id: asked.exportId === undefined ? before.export_id : asked.exportId,
      erasure_id: asked.erasureId === undefined ? before.erasure_id : asked.erasureId,
      handled_by: actor,
      updated_at: now,
    }
    if (!(await areReceipts(tx, workspaceId, asked))) failWith(400, 'exportId and erasureId must be receipts of this workspace')
    const longer = asked.extend === true ? extended(noted, asked, today) : noted
    const after = asked.state === undefined || asked.state === before.state ? longer : await moved(change, longer, asked.state)
    await updateSubjectRequest(tx, after)
    return shownRequest(ctx, after, today)
  })
}

/** Once, while the days run, and with a reason, as the laws that know it ask. */
function extended(row: SubjectRequestRow, { reason }: RequestChange, today: string): SubjectRequestRow {
  const until = extendedTo({ law: row.law, kind: row.kind, receivedOn: row.received_on })
  if (until === undefined || row.extended_to !== null || today > row.due_on) fail('EXTENSION_NOT_ALLOWED')
  if (!reason) failWith(400, 'reason must say why it takes longer')
  return { ...row, extended_to: until }
}

async function moved({ tx, workspaceId, now }: Change, row: SubjectRequestRow, state: RequestState): Promise<SubjectRequestRow> {
  if (!mayBecome(row.state, state)) fail('SUBJECT_REQUEST_OVER')
  if (isWaiting(state)) return { ...row, state }
  if (state === 'refused' && !row.reason) failWith(400, 'reason must say why it is refused')
  const isCopy = row.kind === 'access' || row.kind === 'portability'
  const found = state === 'done' && isCopy && row.export_id === null && row.subject !== null
  const exportId = found ? await findExportSince(tx, workspaceId, row.subject ?? '', row.created_at) : undefined
  // Who asked to be erased is not named by the proof that they were.
  const name = state === 'done' && row.kind === 'erasure' ? { user_id: null, note: null } : {}
  return { ...row, ...name, state, export_id: exportId ?? row.export_id, closed_at: now }
}

/** Names that were sealed by an earlier key are sealed by the present one. */
export async function cleanUpRequests(ctx: Context): Promise<void> {
  await resealColumn(ctx, { table: 'subject_requests', column: 'user_id', placeOf })
}
