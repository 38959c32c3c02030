import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { linksOfSteps, listSteps, type Journey, type JourneyStatus, type Step } from '@contentflow/core/journeys/journey.ts'
import { changesBetween, isUnchanged, type Changes } from '@contentflow/core/journeys/changes.ts'
import { problemsOf, readJourney } from '@contentflow/core/journeys/read-journey.ts'
import { listenedTypes } from '@contentflow/core/journeys/hearing.ts'
import { eventsFault } from '@contentflow/core/journeys/read-events.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import { MINUTE_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { withdrawRequests } from '../approvals/index.ts'
import { syncTrackers } from '../behaviour/index.ts'
import { refuseLinks } from '../links/index.ts'
import { bytesOf, reserveQuota } from '../quota/index.ts'
import { openRegexCheck } from '../segments/index.ts'
import { stopDispatches } from '../sends/index.ts'
import { enqueueWebhook } from '../webhooks/index.ts'
import { refuseEndpoints } from './endpoints.ts'
import { refuseStepTopics } from './topics.ts'
import { refuseIncomplete } from './completeness.ts'
import { refuseStepParts, withCatalog, withPartsOf } from './mails-of-steps.ts'
import * as queries from './queries.ts'
import type { StoredJourney } from './queries.ts'
import { ensureCheck } from './runs/queries-checks.ts'
import { forgetConversions } from './runs/queries-triggers.ts'
import { deleteVersion, findRenewable, insertVersion, keepLastVersion } from './queries-versions.ts'

/** G-57. */
export async function createJourney(ctx: Context, by: Actor, body: unknown): Promise<StoredJourney> {
  const { value, problems } = read(ctx, body, true)
  const held = { goal: null, ...(value as Omit<Journey, 'goal'>) }
  return ctx.change(by, (change) => insertDraft(change, uuidv7(change.now.getTime()), held, { isIncomplete: problems.length > 0 }))
}

/** `mayBeOff`: whether it may tell endpoints that are off. */
export async function insertDraft(
  change: Change,
  id: string,
  held: Journey,
  { isIncomplete = false, mayBeOff = false } = {},
): Promise<StoredJourney> {
  const { tx, workspaceId, actor, now } = change
  refuseEvents(held)
  if ((await queries.countJourneys(tx, workspaceId)) >= LIMITS.journeysPerWorkspace) fail('JOURNEY_LIMIT')
  const journey: StoredJourney = {
    ...held,
    steps: await withCatalog(change, held.steps),
    segmentId: await resolveSegment(change, held.trigger),
    listens: isIncomplete ? [] : listenedTypes(held),
    id,
    status: 'draft',
    isIncomplete,
    createdBy: actor,
    version: 1,
    activeSince: null,
    readUntil: null,
    readBatch: null,
    goalUntil: null,
    goalBatch: null,
    createdAt: now,
    updatedAt: now,
  }
  await refuseLinks(change, linksOfSteps(journey.steps))
  await refuseEndpoints(change, journey.steps, { mayBeOff })
  await refuseStepTopics(change, journey.steps)
  await refuseStepParts(change, journey.steps)
  reserveQuota(change, bytesOf(journey.steps))
  await queries.insertJourney(tx, workspaceId, journey)
  change.audited('journey', id, undefined, journey)
  await syncTrackers(change, { kind: 'journey', id }, isIncomplete ? [] : rulesOf(journey.steps))
  await insertVersion(change, journey, null)
  return journey
}

/** `isAutosave`: the save was made by the editor while somebody types. */
export type SaveOptions = { expectedVersion: number | undefined; isAutosave?: boolean | undefined }

/** Members left out keep their values. People on a step that was removed leave at the next check. */
export async function updateJourney(
  ctx: Context,
  by: Actor,
  id: string,
  body: unknown,
  { expectedVersion, isAutosave = false }: SaveOptions,
): Promise<StoredJourney> {
  return changeJourney(ctx, by, id, expectedVersion, (change, before) => {
    const { value, mayBeIncomplete } = read(ctx, body, false, before.steps)
    return applyChanges(change, before, value, { isAutosave, mayBeIncomplete })
  })
}

/** `mayBeIncomplete`: whether the changes were read as those of an incomplete draft. `mayBeOff`: it may tell endpoints that are off. */
type Applying = { isAutosave?: boolean; mayBeIncomplete?: boolean; mayBeOff?: boolean }

export async function applyChanges(
  change: Change,
  before: StoredJourney,
  changes: Partial<Journey>,
  { isAutosave = false, mayBeIncomplete = false, mayBeOff = false }: Applying = {},
): Promise<StoredJourney> {
  const steps = changes.steps && (await withCatalog(change, withPartsOf(before.steps, changes.steps)))
  return storeChanges(change, before, { ...changes, ...(steps && { steps }) }, { isAutosave, mayBeIncomplete, mayBeOff })
}

/** The same journey, with steps whose mails say what is elsewhere now. */
export async function applySteps(change: Change, before: StoredJourney, steps: Step[]): Promise<StoredJourney> {
  return storeChanges(change, before, { steps }, {})
}

async function storeChanges(
  change: Change,
  before: StoredJourney,
  changes: Partial<Journey>,
  { isAutosave = false, mayBeIncomplete = false, mayBeOff = false }: Applying,
): Promise<StoredJourney> {
  if (before.status === 'active') fail('JOURNEY_ACTIVE')
  const steps = changes.steps ?? before.steps
  const next = { ...before, ...changes, steps, version: before.version + 1, updatedAt: change.now }
  const segmentId = changes.trigger ? await resolveSegment(change, changes.trigger) : before.segmentId
  const isIncomplete = (mayBeIncomplete || before.isIncomplete) && problemsOf(next, openRegexCheck()).length > 0
  const after: StoredJourney = { ...next, segmentId, isIncomplete, listens: isIncomplete ? [] : listenedTypes(next) }
  refuseEvents(next)
  if (after.status !== 'draft') refuseIncomplete(after)
  await refuseLinks(change, linksOfSteps(after.steps), linksOfSteps(before.steps))
  if (changes.steps) await refuseEndpoints(change, changes.steps, { mayBeOff })
  if (changes.steps) await refuseStepTopics(change, changes.steps, before.steps)
  if (changes.steps) await refuseStepParts(change, changes.steps, before.steps)
  const differs = changesBetween(before, after)
  if (differs.members.includes('goal')) {
    Object.assign(after, { goalUntil: null, goalBatch: null })
    await forgetConversions(change.tx, change.workspaceId, before.id)
    if (after.goal && after.status === 'paused') await ensureCheck(change.tx, change.workspaceId, change.now)
  }
  reserveQuota(change, bytesOf(after.steps))
  await queries.updateJourney(change.tx, change.workspaceId, after)
  change.audited('journey', before.id, before, after)
  await syncTrackers(change, { kind: 'journey', id: before.id }, isIncomplete ? [] : rulesOf(after.steps))
  await withdrawRequests(change, { kind: 'journey', subject: before.id })
  if (!isUnchanged(differs)) await keepVersion(change, after, differs, isAutosave && before.status === 'draft')
  // A save by hand keeps the version that autosave wrote.
  else if (!isAutosave) await keepLastVersion(change, before.id)
  return after
}

/** Autosaves that follow each other make one version; `changes` are those since the version before it. */
async function keepVersion(change: Change, after: StoredJourney, changes: Changes, isAutosave: boolean): Promise<void> {
  const since = new Date(change.now.getTime() - LIMITS.autosaveMinutes * MINUTE_MS)
  const renewable = isAutosave ? await findRenewable(change, after.id, since) : undefined
  if (!renewable) return insertVersion(change, after, changes, isAutosave)
  await deleteVersion(change, after.id, renewable.version)
  const all = changesBetween(renewable.before, after)
  if (!isUnchanged(all)) await insertVersion(change, after, all, isAutosave)
}

export async function deleteJourney(ctx: Context, by: Actor, id: string, expectedVersion: number | undefined): Promise<void> {
  await changeJourney(ctx, by, id, expectedVersion, dropJourney)
}

export async function dropJourney(change: Change, journey: StoredJourney): Promise<void> {
  const { id, status } = journey
  if (status === 'active') fail('JOURNEY_ACTIVE')
  await withdrawRequests(change, { kind: 'journey', subject: id })
  await stopDispatches(change, { source: 'journey', sourceId: id })
  await queries.deleteJourney(change.tx, change.workspaceId, id)
  change.audited('journey', id, journey)
  await syncTrackers(change, { kind: 'journey', id }, [])
}

/** 400 where members do not go together. */
function refuseEvents(journey: Journey): void {
  const wrong = eventsFault(journey)
  if (wrong !== undefined) failWith(400, wrong)
}

/** What its conditions ask. */
function rulesOf(steps: readonly Step[]): Rule[] {
  return listSteps(steps).flatMap((step) => (step.type === 'condition' ? step.rule.rules : []))
}

/** M-HOOK-08. A journey that already has this status stays as it is, and no webhook is sent. */
export async function setStatus(
  ctx: Context,
  by: Actor,
  id: string,
  status: Exclude<JourneyStatus, 'active'>,
  expectedVersion: number | undefined,
): Promise<StoredJourney> {
  return changeJourney(ctx, by, id, expectedVersion, (change, before) => moveTo(change, before, status))
}

/** Called in a change that locks the journey. Requests to activate it are withdrawn, because they were about its state before. */
export async function moveTo(change: Change, before: StoredJourney, status: JourneyStatus): Promise<StoredJourney> {
  const { tx, workspaceId, now } = change
  if (before.status === status) return before
  if (status === 'paused' && before.status === 'draft') fail('JOURNEY_NOT_ACTIVE')
  if (status === 'active') refuseIncomplete(before)
  const since = status === 'active' ? now : null
  const next = { ...before, status, activeSince: since, readUntil: since, readBatch: null, version: before.version + 1, updatedAt: now }
  await queries.updateJourney(tx, workspaceId, next)
  change.audited('journey', before.id, before, next)
  await withdrawRequests(change, { kind: 'journey', subject: before.id })
  if (status === 'active') {
    await ensureCheck(tx, workspaceId, now)
    await keepLastVersion(change, before.id)
  }
  await enqueueWebhook(change, 'journey.status_changed', { journeyId: before.id, name: before.name, from: before.status, to: status })
  return next
}

export async function changeJourney<T>(
  ctx: Context,
  by: Actor,
  id: string,
  expectedVersion: number | undefined,
  work: (change: Change, before: StoredJourney) => Promise<T>,
): Promise<T> {
  return ctx.change(by, async (change) => {
    const before = (await queries.lockJourney(change.tx, change.workspaceId, id)) ?? failWith(404, 'journey not found')
    if (expectedVersion !== undefined && before.version !== expectedVersion)
      fail('VERSION_CHANGED', { message: `The journey was changed meanwhile; its version is ${before.version}` })
    return work(change, before)
  })
}

/** `incomplete` in the body: an incomplete draft is accepted too. */
function read(ctx: Context, body: unknown, isNew: boolean, before: readonly Step[] = []) {
  const { incomplete: mayBeIncomplete = false } = isPlainObject(body) ? body : {}
  if (typeof mayBeIncomplete !== 'boolean') failWith(400, 'incomplete must be true or false')
  const newId = () => uuidv7(ctx.clock.ms())
  const found = readJourney(body, { isNew, before, isRegexValid: openRegexCheck(), newId, mayBeIncomplete })
  if (!found.ok) failWith(400, found.error)
  return { value: found.value, problems: found.problems, mayBeIncomplete }
}

async function resolveSegment(
  { tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>,
  trigger: Journey['trigger'],
): Promise<string | null> {
  // An incomplete draft may name no segment yet.
  if (trigger.type !== 'segment_entry' || trigger.segment.trim() === '') return null
  const id = await queries.findSegmentId(tx, workspaceId, trigger.segment)
  return id ?? failWith(400, `trigger.segment: there is no segment with the name or id ${JSON.stringify(trigger.segment)}`)
}
