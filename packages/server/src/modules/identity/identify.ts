import { isDeepStrictEqual } from 'node:util'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import { batched } from '../../infra/concurrency/batched.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { aboutPerson } from '../../infra/concurrency/limiters.ts'
import { isWriteConflict } from '../../infra/unavailable.ts'
import { absorbHistories, mergeHistoriesOf } from '../behaviour/index.ts'
import {
  absorbProfile,
  appendLedger,
  askToConfirm,
  hashSubject,
  isLive,
  lockDevice,
  lockProfilesToMerge,
  renewIdentities,
  subjectOf,
  subjectOfPerson,
  writeIdentity,
  type ProfileRow,
  type Renewal,
} from '../people/index.ts'
import { linkToken } from '../push/index.ts'
import {
  blockPathSegments,
  catalogOf,
  listManualSegments,
  saveMembership,
  storedMembership,
  type SegmentCatalog,
} from '../segments/index.ts'
import { planIdentify, type IdentifyRequest, type IdentityPlan } from './plan-identify.ts'
import { deleteTombstones, readIdentities, type IdentityKey, type IdentityState } from './queries.ts'

type Identified = {
  deviceId: string
  consent: boolean
  results: { identity: { status: 'identified' | 'anonymous'; userId: string | null } }
  segments: string[]
}

/** A device that keeps changing under an identify is given up on after this many readings (C-IDN-15). */
const ATTEMPTS = 6

/** Who calls identify: `isPushLinked` is false when the identity stands and its push token does not follow yet (C-IDN-11). */
export type Identify = (request: IdentifyRequest, keyId: string) => Promise<{ identified: Identified; isPushLinked: boolean }>

/** Statements that identifies of one workspace which arrive together share. */
type Shared = {
  read(key: IdentityKey): Promise<IdentityState>
  renew(renewal: Renewal): Promise<boolean>
}

/** Identifies in one reading or one renewal. More would only make each wait longer. */
const TOGETHER = 64
/** Statements of all workspaces under way. */
const AT_ONCE = 4

/** Made once for the process. */
export function openIdentify(ctx: Context): Identify {
  const shared: Shared = {
    read: batched((keys) => readIdentities(ctx.db, keys[0]?.workspaceId ?? '', keys), {
      most: TOGETHER,
      atOnce: AT_ONCE,
      atOnceOfGroup: 2,
      groupOf: ({ workspaceId }) => workspaceId,
    }),
    // One at a time, so that no two batches of this process wait for each other's rows.
    renew: batched((renewals) => renewEach(ctx, renewals), {
      most: TOGETHER,
      atOnce: AT_ONCE,
      atOnceOfGroup: 1,
      groupOf: ({ device }) => device.workspace_id,
    }),
  }
  return (request, keyId) => identify(ctx, shared, request, keyId)
}

/**
 * Renewals of one workspace. False for every further one of a device: what it read is old. Two devices of one person
 * are written one after the other.
 */
async function renewEach(ctx: Context, renewals: readonly Renewal[]): Promise<boolean[]> {
  const written = renewals.map(() => false)
  const devices = new Set<string>()
  let left = [...renewals.entries()].filter(([, { device }]) => isFirst(devices, device.device_id))
  while (left.length > 0) {
    const people = new Set<string>()
    const now = left.filter(([, { profile }]) => isFirst(people, profile.id))
    const results = await renewIdentities(
      ctx.db,
      renewals[0]?.device.workspace_id ?? '',
      now.map(([, renewal]) => renewal),
    )
    for (const [position, [index]] of now.entries()) written[index] = results[position] ?? false
    left = left.filter((entry) => !now.includes(entry))
  }
  return written
}

function isFirst(seen: Set<string>, id: string): boolean {
  const size = seen.size
  return seen.add(id).size > size
}

/**
 * C-IDN, C-DEV. Reads once, decides in memory, writes once: the device's revision makes sure that what was read
 * still holds.
 */
async function identify(
  ctx: Context,
  shared: Shared,
  request: IdentifyRequest,
  keyId: string,
): Promise<{ identified: Identified; isPushLinked: boolean }> {
  const catalog = await catalogOf(ctx, request.workspaceId)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { workspaceId, environment, deviceId, userId } = request
    const state = await shared.read({ workspaceId, environment, deviceId, userId, withHistories: catalog.onEvents.size > 0 })
    const now = ctx.clock.now()
    if (state.isErasurePending) fail('ERASURE_PENDING')
    if (state.device && state.device.environment !== request.environment && isLive(state.device, now)) fail('DEVICE_ENVIRONMENT_MISMATCH')
    const plan = planIdentify(request, state, now, uuidv7(now.getTime()))
    const histories = await historiesOf(ctx, request.workspaceId, state, plan)
    const membership = await ctx.timeSlicer.run(request.workspaceId, decideMembership(catalog, state, plan, { now, histories }))
    if (!(await write(ctx, shared, { request, state, plan, membership, keyId, now }))) continue
    if (request.isMailConfirmed && request.consent && plan.person)
      await askToConfirm(ctx, { workspaceId: request.workspaceId, actor: keyId, isBrief: true }, plan.person.profile)
    const isPushLinked = !request.consent || (await relinkDevice(ctx, request, state, plan))
    return { identified: describe(request, plan, membership), isPushLinked }
  }
  return fail('DEVICE_STATE_CHANGED')
}

/** What the person did who the device is of after the identify; one that is two people until a merge is written did what both did. */
async function historiesOf(
  { db, clock }: Context,
  workspaceId: string,
  { histories }: IdentityState,
  { person }: IdentityPlan,
): Promise<Histories> {
  if (!person) return {}
  const { profile, absorbed } = person
  const [own, theirs] = [histories[profile.id], absorbed && histories[absorbed.id]]
  return own && theirs ? mergeHistoriesOf(db, workspaceId, [own, theirs], clock.now()) : (own ?? theirs ?? {})
}

/** `manual`: segments they were added to by hand, by their ids. `stored` is undefined when the stored membership is right as it is. */
type MembershipPlan = { names: string[]; manual: ReadonlySet<string>; stored: ReadonlySet<string> | undefined }

function* decideMembership(
  catalog: SegmentCatalog,
  { memberships }: IdentityState,
  { device, person }: IdentityPlan,
  { now, histories }: { now: Date; histories: Histories },
): Generator<undefined, MembershipPlan> {
  if (!person) return { names: [], manual: new Set(), stored: undefined }
  const { profile, absorbed } = person
  const own = memberships.filter((row) => row.profile_id === profile.id || row.profile_id === absorbed?.id)
  const manual = new Set(own.filter((row) => row.is_manual).map((row) => row.segment_id))
  const at = now.getTime()
  const isTargeted = device.consent === 'granted'
  const before = own.filter((row) => row.profile_id === profile.id && row.is_member)
  const members = new Set(before.map((row) => row.segment_id))
  const onBlockPath = {
    subject: subjectOf(profile, at, device, histories),
    manual,
    now: at,
    wasMember: ({ name }: { name: string }) => device.segments.includes(name),
  }
  const names = isTargeted ? yield* blockPathSegments(catalog, onBlockPath) : []
  const asStored = {
    subject: subjectOf(profile, at, undefined, histories),
    manual,
    now: at,
    wasMember: ({ id }: { id: string }) => members.has(id),
  }
  const stored = yield* storedMembership(catalog, asStored)
  const isSame = !absorbed && before.length === stored.size && before.every((row) => stored.has(row.segment_id))
  return { names, manual, stored: isSame ? undefined : stored }
}

type Decided = {
  request: IdentifyRequest
  state: IdentityState
  plan: IdentityPlan
  membership: MembershipPlan
  keyId: string
  now: Date
}

/** A conflict is met by reading and deciding anew (`ATTEMPTS`); the same decision written again would be stale. */
const isNeverRetried = () => false

/** False: the device or the person changed since they were read, and nothing was written. */
async function write(ctx: Context, shared: Shared, { request, state, plan, membership, keyId, now }: Decided): Promise<boolean> {
  const { names, manual, stored } = membership
  const { workspaceId, environment, deviceId } = request
  const device = { ...plan.device, segments: names }
  const { person } = plan
  const signal = { kind: 'device', workspaceId, deviceId } as const
  try {
    if (person && plan.isRenewal && !stored) {
      if (!(await shared.renew({ device, profile: person.profile, said: person.said }))) return false
      void ctx.signals.announce(signal)
      return true
    }
    const about = aboutPerson({ deviceId, userId: request.userId, profileId: person?.profile.id })
    const change = (work: (change: Change) => Promise<boolean>) =>
      ctx.limiters.clientWrites(workspaceId, about, () => ctx.change({ workspaceId, actor: keyId, isBrief: true }, work, isNeverRetried))
    return await change(async ({ tx, emit }) => {
      const isMerge = person && (person.how === 'merge' || person.absorbed !== undefined)
      if (isMerge && !(await holdAsRead(tx, request, person.read, manual))) return false
      if (!(await writeIdentity(tx, device, person))) return false
      for (const { of, source, changes } of plan.ledger) {
        const subject =
          of === 'person' && person ? subjectOfPerson(state.salt, person.profile) : hashSubject(state.salt, 'device', deviceId)
        await appendLedger(tx, request, [{ subject, changes }], { source, keyId })
      }
      if (person?.absorbed) await absorbHistories(tx, workspaceId, person.absorbed.id, person.profile.id, now)
      if (person?.absorbed) await absorbProfile(tx, workspaceId, person.absorbed.id, person.profile.id)
      if (person && stored) await saveMembership(tx, workspaceId, person.profile.id, stored, now)
      // A new person or a new decision may be one that comes back after an erasure.
      if (request.consent) await deleteTombstones(tx, workspaceId, environment, subjectsOf(request, state))
      emit(signal)
      return true
    })
  } catch (error) {
    // Two devices named a new user, or merged one person, at the same moment: what was read no longer holds.
    if (isWriteConflict(error)) return false
    throw error
  }
}

/** Locks the device and the people that a merge was decided on. False when one of them, or a segment by hand, is another by now. */
async function holdAsRead(
  tx: Db,
  { workspaceId, deviceId }: IdentifyRequest,
  read: readonly ProfileRow[],
  manual: ReadonlySet<string>,
): Promise<boolean> {
  await lockDevice(tx, workspaceId, deviceId)
  const ids = read.map(({ id }) => id).sort()
  const held = await lockProfilesToMerge(tx, workspaceId, ids)
  const rows = ids.map((id) => read.find((row) => row.id === id))
  return isDeepStrictEqual(held, rows) && isDeepStrictEqual(new Set(await listManualSegments(tx, workspaceId, ids)), manual)
}

/** C-PUSH-11, C-PUSH-12: the token of the device follows to the person. The identity stands when that fails. */
async function relinkDevice(
  ctx: Context,
  { workspaceId, deviceId }: IdentifyRequest,
  { pushProfileId }: IdentityState,
  { person }: IdentityPlan,
): Promise<boolean> {
  try {
    ctx.faults.check('push_link')
    const profileId = person?.profile.id
    if (pushProfileId !== undefined && profileId && pushProfileId !== profileId) await linkToken(ctx.db, workspaceId, deviceId, profileId)
    return true
  } catch (error) {
    ctx.log.warn({ err: error, workspaceId }, 'a push token could not be linked')
    return false
  }
}

function subjectsOf({ deviceId, userId }: IdentifyRequest, { salt }: IdentityState): string[] {
  return [hashSubject(salt, 'device', deviceId), ...(userId === undefined ? [] : [hashSubject(salt, 'user', userId)])]
}

function describe({ deviceId, consent }: IdentifyRequest, { userId }: IdentityPlan, { names }: MembershipPlan): Identified {
  return { deviceId, consent, results: { identity: { status: userId === null ? 'anonymous' : 'identified', userId } }, segments: names }
}
