import type { DecidedSensor, ReviewDecision } from '@contentflow/core/approvals.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { requireApprover } from '../../../http/callers/auth.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { Change } from '../../../infra/change.ts'
import { permitTexts } from '../permit-texts.ts'
import { changeCatalog, touchCatalog, type LockedCatalog } from '../change-catalog.ts'
import { refuseApprover } from '../../approvals/index.ts'
import * as queries from './queries-sensors.ts'

/** `requestId`: the sensor waits for approval and is still off. */
export type SensorState = { key: string; sensor: boolean; requestId?: string }

/** Turning a sensor on waits for approval where the workspace asks for it and the member may not approve (M-STRS-35). */
export async function setSensor(ctx: Context, caller: MemberCaller, key: string, readBody: () => boolean): Promise<SensorState> {
  const { workspaceId, accountId, mayApprove } = caller
  return changeCatalog(ctx, { workspaceId, actor: accountId }, async (change, catalog) => {
    const isOn = await requireString(change, key)
    const isWanted = readBody()
    await permitTexts(change, { locales: [], keys: [key] })
    const pending = await queries.findSensorRequest(change.tx, workspaceId, key)
    if (isWanted && !isOn && !mayApprove && (await queries.needsSensorApproval(change.tx, workspaceId)))
      return { key, sensor: false, requestId: pending?.id ?? (await openRequest(change, key)) }
    // Decided now, one way or the other.
    if (pending) await queries.deleteSensorRequest(change.tx, workspaceId, key)
    if (isWanted !== isOn) await turn(change, catalog, key, isWanted)
    return { key, sensor: isWanted }
  })
}

/** A member approves what another member asked for. */
export async function approveSensor(ctx: Context, caller: MemberCaller, key: string): Promise<SensorState> {
  const { workspaceId, accountId } = caller
  return changeCatalog(ctx, { workspaceId, actor: accountId }, async (change, catalog) => {
    const { requestedBy, createdAt } = await requireRequest(change, key)
    await permitTexts(change, { locales: [], keys: [key] })
    await refuseApprover(change, { by: requestedBy, at: createdAt })
    await queries.deleteSensorRequest(change.tx, workspaceId, key)
    await turn(change, catalog, key, true)
    return { key, sensor: true }
  })
}

/** The member who made the request withdraws it, or a member with approval rights refuses it. */
export async function dropSensorRequest(ctx: Context, caller: MemberCaller, key: string): Promise<void> {
  const { workspaceId, accountId } = caller
  await changeCatalog(ctx, { workspaceId, actor: accountId }, async (change) => {
    const { requestedBy } = await requireRequest(change, key)
    if (requestedBy !== change.submitter) requireApprover(caller)
    await queries.deleteSensorRequest(change.tx, workspaceId, key)
  })
}

/** Called by the routes of reviews with the request's id. No record of the decision is kept: the sensor is on or off. */
export async function decideSensor(
  ctx: Context,
  caller: MemberCaller,
  id: string,
  wanted: ReviewDecision,
): Promise<DecidedSensor | undefined> {
  const { workspaceId, accountId } = caller
  if (!(await queries.findSensorRequestById(ctx.db, workspaceId, id))) return undefined
  return changeCatalog(ctx, { workspaceId, actor: accountId }, async (change, catalog) => {
    const request = (await queries.findSensorRequestById(change.tx, workspaceId, id)) ?? fail('REVIEW_OVER')
    const isOwn = request.requestedBy === change.submitter
    if (wanted === 'approve') await permitTexts(change, { locales: [], keys: [request.key] })
    if (wanted === 'approve') await refuseApprover(change, { by: request.requestedBy, at: request.createdAt })
    else if (!isOwn) requireApprover(caller)
    await queries.deleteSensorRequest(change.tx, workspaceId, request.key)
    if (wanted === 'approve') await turn(change, catalog, request.key, true)
    return { request, status: wanted === 'approve' ? 'approved' : isOwn ? 'withdrawn' : 'rejected', decidedAt: change.now }
  })
}

/** Whether its sensor is on. */
async function requireString({ tx, workspaceId }: Change, key: string): Promise<boolean> {
  const states = await queries.findSensorStates(tx, workspaceId, [key])
  return states.get(key) ?? fail('UNKNOWN_STRING')
}

async function requireRequest(change: Change, key: string): Promise<queries.SensorRequest> {
  await requireString(change, key)
  return (await queries.findSensorRequest(change.tx, change.workspaceId, key)) ?? fail('SENSOR_NOT_ASKED')
}

async function openRequest({ tx, workspaceId, submitter: requestedBy, now }: Change, key: string): Promise<string> {
  const id = uuidv7(now.getTime())
  await queries.insertSensorRequest(tx, workspaceId, { id, key, requestedBy, createdAt: now })
  return id
}

async function turn(change: Change, { next }: LockedCatalog, key: string, isOn: boolean): Promise<void> {
  await queries.setSensors(change.tx, change.workspaceId, [key], { isSensor: isOn, revision: next, now: change.now })
  touchCatalog(change, { reaches: false })
}
