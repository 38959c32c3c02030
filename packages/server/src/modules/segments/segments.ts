import { cutText } from '@contentflow/core/cut-text.ts'
import { orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import { UPDATE_FREQUENCIES, type UpdateFrequency } from '@contentflow/core/targeting/frequency.ts'
import { parseRules, type SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { textLength } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { DetailedError, fail, failWith } from '../../errors.ts'
import type { Change, VersionRow, Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { stateOf } from '../../infra/unavailable.ts'
import { requireStrictPublisher } from '../approvals/index.ts'
import { fillTrackersIfSmall, syncTrackers } from '../behaviour/index.ts'
import { listInstancesFor, lockContent, renameTarget, touchContent } from '../content/index.ts'
import { bytesOf, reserveQuota } from '../quota/index.ts'
import * as queries from './queries.ts'
import type { Segment } from './queries.ts'
import { listCampaignsFor, listJourneysFor, listMessagesFor, renameInJourneys } from './queries-uses.ts'
import { DELETED_SEGMENTS, recomputeDue } from './membership/recompute.ts'
import { openRegexCheck } from '../../infra/regex.ts'

/** M-SEG-03: quoted by the documents. */
const NAME_TAKEN = 'Segment name must be unique within the tenant'
const EVERYONE = 'All users'

/** M-SEG-01, G-43. `also`: what belongs to it, in the same transaction. */
export async function createSegment(
  ctx: Context,
  by: Actor,
  body: Record<string, unknown>,
  also?: (change: Change, made: Segment) => Promise<void>,
): Promise<Segment> {
  const { workspaceId } = by
  const { name, rules, excludedSegments = [], updateFrequency = 'realtime' } = readSegment(body)
  if (name === undefined) failWith(400, 'name is required')
  const now = ctx.clock.now()
  const segment = await changeSegments(ctx, by, { isNamed: true }, async (change, all) => {
    const { tx } = change
    if (all.length >= LIMITS.segmentsPerWorkspace) fail('SEGMENT_LIMIT')
    const made: Segment = {
      id: uuidv7(now.getTime()),
      name,
      ...(rules ?? readRules(body)),
      excluded: resolveExcluded(all, excludedSegments),
      updateFrequency,
      exactAsOf: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    requireFreeName(all, made)
    await requireAudienceApproval(change, all, made)
    await takeName(change, made)
    reserveQuota(change, bytesOf(made.rules))
    await queries.insertSegment(tx, workspaceId, made)
    change.audited('segment', made.id, undefined, definitionOf(made))
    await syncTrackers(change, { kind: 'segment', id: made.id }, made.rules)
    await also?.(change, made)
    return made
  })
  await fillTrackersIfSmall(ctx, workspaceId, segment.rules)
  await recomputeDue(ctx, workspaceId, [segment.id], now)
  return queries.getSegment(ctx.db, workspaceId, segment.id)
}

export type ChangedSegment = { segment: Segment; warnings: string[] }

/**
 * Members left out stay. With `expectedVersion` (If-Match) a change on top of somebody else's is refused instead of lost.
 * With `renameUses` what names the segment names it by its new name, at the same moment.
 */
export async function changeSegment(
  ctx: Context,
  by: Actor,
  id: string,
  body: Record<string, unknown>,
  expectedVersion?: number,
): Promise<ChangedSegment> {
  const { workspaceId } = by
  const before = await queries.getSegment(ctx.db, workspaceId, id)
  const { name, rules, excludedSegments, updateFrequency } = readSegment(body, before)
  const isRenamedInUse = readRenameUses(body['renameUses'])
  const now = ctx.clock.now()
  const warnings = await changeSegments(ctx, by, { isNamed: name !== undefined && name !== before.name }, async (change, all) => {
    const { tx } = change
    const stored = expectVersion(all, id, expectedVersion)
    const changed: Segment = {
      ...stored,
      ...rules,
      name: name ?? stored.name,
      excluded: excludedSegments ? resolveExcluded(all, excludedSegments) : stored.excluded,
      updateFrequency: updateFrequency ?? stored.updateFrequency,
      updatedAt: now,
    }
    requireFreeName(all, changed)
    const others = all.filter((segment) => segment.id !== id)
    if (!orderByExclusion([...others, changed])) fail('SEGMENT_CIRCLE')
    const isLeftBehind = changed.name !== stored.name && !isRenamedInUse
    if (rules || excludedSegments || isLeftBehind) await requireAudienceApproval(change, all, stored)
    if (changed.name !== stored.name) await requireAudienceApproval(change, all, changed)
    reserveQuota(change, bytesOf(changed.rules))
    await queries.updateSegment(tx, workspaceId, changed)
    change.audited('segment', id, definitionOf(stored), definitionOf(changed))
    await syncTrackers(change, { kind: 'segment', id }, changed.rules)
    if (changed.name === stored.name) return []
    await takeName(change, changed)
    await renameInJourneys(tx, workspaceId, id, changed.name)
    if (!isRenamedInUse) return warnOfOldName(tx, workspaceId, stored.name)
    await queries.addFormerName(tx, workspaceId, id, stored.name)
    // Campaigns keep the name they were approved with: what is served has to know both.
    touchContent(change, ['live', 'test'], null)
    await renameTarget(change, stored.name, changed.name)
    return []
  })
  if (rules) await fillTrackersIfSmall(ctx, workspaceId, rules.rules)
  await recomputeDue(ctx, workspaceId, [id], now)
  return { segment: await queries.getSegment(ctx.db, workspaceId, id), warnings }
}

/** What somebody decides of a segment. */
function definitionOf({ name, logicalOperator, rules, excluded, updateFrequency }: Segment) {
  return { name, logicalOperator, rules, excluded, updateFrequency }
}

/** A name that is given now is no segment's former one any more: what is for it is for this segment alone. */
export async function takeName(change: Change, { name }: Pick<Segment, 'name'>): Promise<void> {
  const isTaken = await queries.dropFormerName(change.tx, change.workspaceId, name)
  if (isTaken) touchContent(change, ['live', 'test'], null)
}

/** X-INT-40: instances keep the old name, which is nobody's any more. */
async function warnOfOldName(tx: Db, workspaceId: string, name: string): Promise<string[]> {
  const instances = await listInstancesFor(tx, workspaceId, name)
  if (instances.length === 0) return []
  return [`${instances.length} block instances still point at "${name}" and now reach nobody: ${nameSome(instances.map(describeInstance))}`]
}

/** 409 while something uses it, unless `isForced`; then what points at its name reaches nobody (X-INT-40). */
export async function deleteSegment(
  ctx: Context,
  by: Actor,
  id: string,
  { isForced, expectedVersion }: { isForced: boolean; expectedVersion: number | undefined },
): Promise<void> {
  const { workspaceId } = by
  const now = ctx.clock.now()
  const dependents = await changeSegments(ctx, by, {}, async (change, all) => {
    const { tx, nudge } = change
    const stored = expectVersion(all, id, expectedVersion)
    const { name } = stored
    change.audited('segment', id, definitionOf(stored))
    await requireAudienceApproval(change, all, { id, name })
    const users = isForced ? [] : await listUsers(tx, workspaceId, all, { id, name })
    if (users.length > 0) failWith(409, `Used by ${nameSome(users)}; send force=true to delete it anyway`)
    const excluding = await queries.dropExclusionsOf(tx, workspaceId, id, now)
    await queries.deleteSegment(tx, workspaceId, id, now)
    await syncTrackers(change, { kind: 'segment', id }, [])
    nudge(DELETED_SEGMENTS)
    return excluding
  })
  await recomputeDue(ctx, workspaceId, dependents, now)
}

function expectVersion(all: readonly Segment[], id: string, expected: number | undefined): Segment {
  const stored = all.find((segment) => segment.id === id) ?? failWith(404, 'segment not found')
  if (expected !== undefined && stored.version !== expected)
    fail('VERSION_CHANGED', { message: `The segment was changed meanwhile; its version is ${stored.version}` })
  return stored
}

/** Who gets something changes with the segment that it is for: under strict approvals that takes an approver. */
async function requireAudienceApproval(change: Change, all: readonly Segment[], segment: { id: string; name: string }): Promise<void> {
  if (change.mayPublish) return
  const users = await listUsers(change.tx, change.workspaceId, all, segment)
  if (users.length > 0) await requireStrictPublisher(change)
}

async function listUsers(
  tx: Db,
  workspaceId: string,
  all: readonly Segment[],
  { id, name }: { id: string; name: string },
): Promise<string[]> {
  const instances = await listInstancesFor(tx, workspaceId, name)
  const segments = all.filter(({ excluded }) => excluded.includes(id))
  const campaigns = (await listCampaignsFor(tx, workspaceId, [name])).get(name) ?? []
  const journeys = (await listJourneysFor(tx, workspaceId, [id])).get(id) ?? []
  const messages = (await listMessagesFor(tx, workspaceId, [name])).get(name) ?? []
  return [
    ...segments.map((segment) => `segment "${segment.name}"`),
    ...campaigns.map((campaign) => `campaign "${campaign.name}"`),
    ...journeys.map((journey) => `journey "${journey.name}"`),
    ...messages.map((message) => `message "${message.name}", which is being sent`),
    ...instances.map(describeInstance),
  ]
}

function describeInstance({ blockKey, title, id }: { blockKey: string; title: string; id: string }): string {
  return `instance ${title === '' ? id : `"${title}"`} of block ${blockKey}`
}

function nameSome(all: readonly string[]): string {
  const named = 10
  return all.length > named ? `${all.slice(0, named).join(', ')} and ${all.length - named} more` : all.join(', ')
}

/** Told after what clients are sent: whoever is looked at anew is in a segment of the new name, for which there is content then. */
const segmentsHead: VersionRow<null> = {
  lock: 'segments',
  move: async ({ emit, workspaceId }) => emit({ kind: 'segments', workspaceId }),
}

export function touchSegments(change: Change): void {
  change.touch(segmentsHead, null)
}

/**
 * One change of the workspace's segments, after every other; all processes are told. `isNamed`: a name is given, on which
 * content may depend, so that is held first.
 */
async function changeSegments<T>(
  ctx: Context,
  by: Actor,
  { isNamed = false }: { isNamed?: boolean },
  work: (change: Change, all: Segment[]) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.change(by, async (change) => {
      if (isNamed) await lockContent(change.tx, by.workspaceId)
      const result = await work(change, await queries.lockSegments(change.tx, by.workspaceId))
      touchSegments(change)
      return result
    })
  } catch (error) {
    // Two segments of one name, made at the same moment.
    if (stateOf(error) === '23505') failWith(409, NAME_TAKEN)
    throw error
  }
}

function requireFreeName(all: readonly Segment[], { id, name }: Segment): void {
  if (name === EVERYONE || all.some((segment) => segment.name === name && segment.id !== id)) failWith(409, NAME_TAKEN)
}

// --- reading a body ---

type SegmentInput = {
  name?: string
  rules?: SegmentRules
  /** Ids or names. */
  excludedSegments?: string[]
  updateFrequency?: UpdateFrequency
}

function readSegment(body: Record<string, unknown>, before?: SegmentRules): SegmentInput {
  const { name, logicalOperator, rules, excludedSegments, updateFrequency } = body
  const input: SegmentInput = {}
  if (name !== undefined) input.name = readName(name)
  // A change that leaves both out keeps them; they are read together.
  if (!before || rules !== undefined || logicalOperator !== undefined)
    input.rules = readRules({ ...before, ...withoutMissing({ logicalOperator, rules }) })
  if (excludedSegments !== undefined) input.excludedSegments = readReferences(excludedSegments)
  if (updateFrequency !== undefined) input.updateFrequency = readFrequency(updateFrequency)
  return input
}

function readRenameUses(flag: unknown): boolean {
  return flag === undefined || typeof flag === 'boolean' ? flag === true : failWith(400, 'renameUses must be a boolean')
}

function withoutMissing(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** C-SEG-12 to C-SEG-20. The refusal says which rule is wrong in `rule`, for forms that show it there. */
export function readRules(input: unknown): SegmentRules {
  const parsed = parseRules(input, openRegexCheck())
  if (parsed.ok) return parsed.value
  throw new DetailedError(400, parsed.error, parsed.at ? { rule: parsed.at } : {})
}

/** M-SEG-02. */
function readName(name: unknown): string {
  if (typeof name === 'string' && name.trim() !== '' && textLength(name) <= LIMITS.segmentNameLength) return name
  return failWith(400, `name must be a string of 1 to ${LIMITS.segmentNameLength} characters`)
}

function readFrequency(frequency: unknown): UpdateFrequency {
  const known = UPDATE_FREQUENCIES.find((each) => each === frequency)
  return known ?? failWith(400, `updateFrequency must be one of ${UPDATE_FREQUENCIES.join(', ')}`)
}

/** Ids or names of segments. */
export function readReferences(references: unknown): string[] {
  const isRight = Array.isArray(references) && references.length <= LIMITS.segmentsPerWorkspace
  if (isRight && references.every((each): each is string => typeof each === 'string')) return references
  return failWith(400, 'excludedSegments must be an array of segment names or ids')
}

/** M-SEG-06: their ids. A segment of that id comes before one of that name (A-53). */
export function resolveExcluded(all: readonly Segment[], references: readonly string[]): string[] {
  const ids = new Set(all.map(({ id }) => id))
  const byName = new Map(all.map(({ id, name }) => [name, id]))
  const resolved = references.map((reference) => {
    const id = ids.has(reference) ? reference : byName.get(reference)
    return id ?? failWith(400, `excludedSegments: there is no segment ${JSON.stringify(cutText(reference, 100))}`)
  })
  return [...new Set(resolved)]
}
