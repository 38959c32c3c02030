/**
 * Erasure (C-ERASE, G-17, A-16). Asking for it is one transaction: the request is written down, the tombstones are
 * set and targeted content ends. Then each part is erased in a transaction of its own, so that a part that fails
 * loses nothing of the others; what remains is tried again every minute and by each further request.
 */
import type { ConsentChange } from '@contentflow/core/identity/consent/consent.ts'
import { forgottenDecisions } from '@contentflow/core/identity/consent/decisions.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import type { Change } from '../../infra/change.ts'
import { oneByOne, type DueWork } from '../../infra/due/due.ts'
import { dueTable } from '../../infra/due/queries-due.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { StaleReadError } from '../../infra/unavailable.ts'
import {
  appendLedger,
  decisionsOf,
  findDevice,
  findProfile,
  findSubjectSalt,
  hashSubject,
  isLive,
  listDeviceIds,
  lockProfile,
  subjectOfPerson,
  writePeople,
  type DeviceRow,
  type ProfileRow,
} from '../people/index.ts'
import { eraseFromColumns, rebuildInColumns } from '../analysis/index.ts'
import { BEHAVIOUR, refold } from '../behaviour/index.ts'
import { forgetSubject } from '../requests/index.ts'
import {
  insertTombstones,
  ERASURE_PARTS,
  erasePart,
  findAnonymousId,
  findErasure,
  findPendingErasure,
  insertErasure,
  lockDevices,
  updateErasure,
  type DueErasure,
  type ErasurePart,
  type ErasureRow,
} from './queries-erasure.ts'

/** Who asks, and for which environment. `requestedBy`: the application key, or the account of the member. */
export type ErasureRequest = { workspaceId: string; environment: Environment; requestedBy: string }
/**
 * What else happens in the transaction that opens an erasure. `holdBack`: true when it does not begin; device and person are
 * locked. `opened`: it begins, or has begun before.
 */
export type Alongside = {
  holdBack?(change: Change, person: ProfileRow | undefined, devices: readonly DeviceRow[]): Promise<boolean>
  opened?(change: Change, erasure: ErasureRow): Promise<void>
}
export type Erasure = { id: string | null; erased: ErasurePart[]; remaining: ErasurePart[] }

const RETRY_MS = 60_000
/** Erasures of one workspace that one process holds at a time. */
const BATCH = 50
/** How many rounds one request works on an erasure; the job works the rest. */
const ROUNDS = 5

/**
 * C-ERASE-20: a device that was never seen has nothing to erase. The person is whoever the device is linked to, or
 * the anonymous one it left behind when its record lapsed and began anew in the other environment.
 */
export async function eraseDevice(ctx: Context, request: ErasureRequest, deviceId: string, alongside: Alongside = {}): Promise<Erasure> {
  const { workspaceId, environment } = request
  return eraseFound(ctx, request, alongside, async (tx) => {
    const pending = await findPendingErasure(tx, workspaceId, environment, { deviceId })
    if (pending) return { pending }
    const device = await findDevice(tx, workspaceId, deviceId)
    const own = device && device.environment === environment ? device : undefined
    if (device && !own && isLive(device, ctx.clock.now())) fail('DEVICE_ENVIRONMENT_MISMATCH')
    const profileId = own?.profile_id ?? (await findAnonymousId(tx, workspaceId, environment, deviceId))
    return own || profileId !== undefined ? targetOf(tx, request, profileId, deviceId) : undefined
  })
}

/** The same, by a member or confirmed: the person with every device. */
export async function eraseProfile(ctx: Context, request: ErasureRequest, profileId: string, alongside: Alongside = {}): Promise<Erasure> {
  const { workspaceId, environment } = request
  return eraseFound(ctx, request, alongside, async (tx) => {
    const pending = await findPendingErasure(tx, workspaceId, environment, { profileId })
    if (pending) return { pending }
    const profile = await findProfile(tx, workspaceId, profileId)
    return profile && targetOf(tx, request, profileId, profile.device_id)
  })
}

/** An unfinished erasure, or whom a new one is about; undefined when there is nobody. */
type Found = { pending: ErasureRow } | { pending?: undefined; profileId: string | undefined; deviceIds: string[] } | undefined

/** `deviceId`: the device that asks, or the one that names an anonymous person. */
async function targetOf(tx: Db, { workspaceId }: ErasureRequest, profileId: string | undefined, deviceId: string | null): Promise<Found> {
  const linked = profileId === undefined ? [] : await listDeviceIds(tx, workspaceId, [profileId])
  return { profileId, deviceIds: [...new Set([...(deviceId === null ? [] : [deviceId]), ...linked])].sort() }
}

async function eraseFound(ctx: Context, request: ErasureRequest, alongside: Alongside, find: (tx: Db) => Promise<Found>): Promise<Erasure> {
  const of = { workspaceId: request.workspaceId, actor: request.requestedBy, isBrief: true as const }
  const erasure = await writePeople(ctx, of, async (change) => {
    const opened = await openErasure(change, request, alongside, find)
    if (opened) await alongside.opened?.(change, opened)
    return opened
  })
  return erasure ? describe(await runErasure(ctx, erasure)) : { id: null, erased: [], remaining: [] }
}

/** Erasures that could not be finished when they were asked for. Each part is erased once: its report says so in the same transaction. */
export function erasureWork(ctx: Context): DueWork<DueErasure> {
  const kind = 'erasures'
  const table = dueTable<DueErasure>(ctx.db, 'erasures')
  const work = oneByOne<DueErasure>(ctx, { kind, table, backOff: { first: RETRY_MS, most: RETRY_MS } }, async ({ id }, batch) => {
    const { status } = await runErasure(ctx, { workspace_id: batch.workspaceId, id })
    return status === 'pending' ? new Date(ctx.clock.ms() + RETRY_MS) : null
  })
  return { kind, rows: table, most: BATCH, work }
}

/**
 * Devices are locked before their person, as every other write does. What was found without a lock is looked at
 * again under it; a device that joins the person after that is found when the person is erased.
 */
async function openErasure(
  change: Change,
  request: ErasureRequest,
  { holdBack }: Alongside,
  find: (tx: Db) => Promise<Found>,
): Promise<ErasureRow | undefined> {
  const { tx } = change
  const seen = await find(tx)
  if (!seen || seen.pending) return seen?.pending
  const devices = await lockDevices(tx, request.workspaceId, seen.deviceIds)
  const profile = seen.profileId === undefined ? undefined : await lockProfile(tx, request.workspaceId, seen.profileId)
  const found = await find(tx)
  if (!found || found.pending) return found?.pending
  if (found.profileId !== seen.profileId) throw new StaleReadError('the device is another person’s by now')
  if (await holdBack?.(change, profile, devices)) return undefined
  return recordErasure(change, request, { profile, devices, deviceIds: seen.deviceIds })
}

async function recordErasure(
  { tx, now, emit }: Change,
  { workspaceId, environment, requestedBy }: ErasureRequest,
  { profile, devices, deviceIds }: { profile: ProfileRow | undefined; devices: readonly DeviceRow[]; deviceIds: string[] },
): Promise<ErasureRow> {
  const erasure: ErasureRow = {
    workspace_id: workspaceId,
    id: uuidv7(now.getTime()),
    environment,
    status: 'pending',
    parts: ERASURE_PARTS.map((part) => ({ part, status: 'pending', count: 0, at: null })),
    profile_id: profile?.id ?? null,
    user_id: profile?.user_id ?? null,
    device_ids: deviceIds,
    requested_by: requestedBy,
    requested_at: now,
    completed_at: null,
    // The next pass of the job finishes what the request does not.
    due_at: now,
    lease: null,
    lease_until: null,
    attempts: 0,
  }
  const salt = await findSubjectSalt(tx, workspaceId)
  const subjects = deviceIds.map((id) => hashSubject(salt, 'device', id))
  if (profile?.user_id) subjects.push(hashSubject(salt, 'user', profile.user_id))
  await insertErasure(tx, erasure)
  await insertTombstones(tx, erasure, subjects)
  await forgetSubject(tx, { workspaceId, environment }, { subjects, erasureId: erasure.id, now })
  await forgetDecisions(tx, { workspaceId, environment, requestedBy }, salt, profile, devices)
  for (const id of deviceIds) emit({ kind: 'device', workspaceId, deviceId: id })
  return erasure
}

/** Every decision goes back to never asked; the ledger says so without saying who it was. */
async function forgetDecisions(
  tx: Db,
  { workspaceId, environment, requestedBy }: ErasureRequest,
  salt: string,
  profile: ProfileRow | undefined,
  devices: readonly DeviceRow[],
): Promise<void> {
  const decided = devices
    .filter((row) => row.environment === environment)
    .map((row) => ({ subject: hashSubject(salt, 'device', row.device_id), changes: forgottenDecisions(decisionsOf(row)) }))
  if (profile) {
    const analytics: ConsentChange[] =
      profile.analytics === null ? [] : [{ channel: 'analytics', oldValue: profile.analytics, newValue: null }]
    decided.push({ subject: subjectOfPerson(salt, profile), changes: [...analytics, ...forgottenDecisions(decisionsOf(profile))] })
  }
  await appendLedger(tx, { workspaceId, environment }, decided, { source: 'erase', keyId: requestedBy })
}

/** Erases what is left of each part; what fails stays pending. */
async function runErasure(ctx: Context, { workspace_id, id }: Pick<ErasureRow, 'workspace_id' | 'id'>): Promise<ErasureRow> {
  let erasure = await findErasure(ctx.db, workspace_id, id)
  for (let round = 0; erasure?.status === 'pending' && round < ROUNDS; round++) {
    const before: string = JSON.stringify(erasure.parts)
    for (const { part, status } of erasure.parts) if (status === 'pending') erasure = await eraseListedPart(ctx, erasure, part)
    if (JSON.stringify(erasure.parts) === before) break
  }
  if (!erasure) throw new Error('an erasure is never deleted')
  return erasure
}

async function eraseListedPart(ctx: Context, { workspace_id, id, requested_by }: ErasureRow, part: ErasurePart): Promise<ErasureRow> {
  try {
    return await writePeople(ctx, { workspaceId: workspace_id, actor: requested_by, isBrief: true }, async ({ tx, now, emit, nudge }) => {
      const erasure = await lockErasure(tx, workspace_id, id)
      const target = {
        workspaceId: workspace_id,
        environment: erasure.environment,
        profileId: erasure.profile_id,
        deviceIds: erasure.device_ids ?? [],
      }
      if (erasure.parts.some((report) => report.part === part && report.status === 'erased')) return erasure
      ctx.faults.check('erase_part')
      // Before the events go, which say on which days there is something of them.
      const hasEvents = part === 'analytics_events' || part === 'profile'
      if (hasEvents && target.profileId !== null) await eraseFromColumns(tx, workspace_id, [target.profileId])
      const { count, isDone, strays, others = [] } = await erasePart(tx, part, target)
      if (others.length > 0) {
        await refold(ctx, tx, workspace_id, others)
        await rebuildInColumns(ctx, tx, workspace_id, others)
        nudge(BEHAVIOUR)
      }
      for (const deviceId of strays) emit({ kind: 'device', workspaceId: workspace_id, deviceId })
      const parts = erasure.parts.map((report) =>
        report.part === part
          ? { part, status: isDone ? ('erased' as const) : report.status, count: report.count + count, at: now.toISOString() }
          : report,
      )
      const next = finish({ ...erasure, parts }, now)
      await updateErasure(tx, next)
      return next
    })
  } catch (error) {
    ctx.log.warn({ err: error, workspaceId: workspace_id, id, part }, 'a part of an erasure failed; it is tried again')
    return (await findErasure(ctx.db, workspace_id, id)) ?? Promise.reject(error)
  }
}

async function lockErasure(tx: Db, workspaceId: string, id: string): Promise<ErasureRow> {
  await tx.selectFrom('erasures').select('id').where('workspace_id', '=', workspaceId).where('id', '=', id).forUpdate().execute()
  return (await findErasure(tx, workspaceId, id)) ?? Promise.reject(new Error('an erasure is never deleted'))
}

/** Once all is gone the receipt keeps no name either. */
function finish(erasure: ErasureRow, now: Date): ErasureRow {
  if (erasure.parts.some(({ status }) => status === 'pending')) return erasure
  const nothingDue = { due_at: null, lease: null, lease_until: null }
  return { ...erasure, ...nothingDue, status: 'complete', completed_at: now, profile_id: null, user_id: null, device_ids: null }
}

function describe({ id, parts }: ErasureRow): Erasure {
  const of = (status: string) => parts.filter((report) => report.status === status).map(({ part }) => part)
  return { id, erased: of('erased'), remaining: of('pending') }
}
