import type { Permission } from '@contentflow/core/access/permissions.ts'
import { fieldsByBlock, orderInstances } from '@contentflow/core/as-code/instance-code.ts'
import type { CodeChange } from '@contentflow/core/as-code/plan-code.ts'
import type { SettingsCode } from '@contentflow/core/as-code/settings-code.ts'
import type { CodeKind } from '@contentflow/core/as-code/workspace-code.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { applyReports } from '../analysis/index.ts'
import { keepEvents } from '../analytics/index.ts'
import { applyCampaigns, updateLaunch } from '../campaigns/index.ts'
import { applyChannels, lockChannels } from '../channels/index.ts'
import { updatePublishApproval } from '../approvals/index.ts'
import { applyDefinitions, applyInstances, lockContent } from '../content/index.ts'
import { applyEventTypes, lockEventCatalog } from '../event-catalog/index.ts'
import { applyExperiments } from '../experiments/index.ts'
import { applyJourneys } from '../journeys/index.ts'
import { deleteGeofence, insertGeofence, updateGeofence } from '../location/index.ts'
import { applyMails } from '../mails/index.ts'
import { applySegments, listSegments, lockSegments, recomputeDue } from '../segments/index.ts'
import { applyCatalog, changeCatalog, setSensorApproval, type LockedCatalog } from '../strings/index.ts'
import { applyTopics } from '../topics/index.ts'
import { applyEndpoints, dropEndpoints } from '../webhooks/index.ts'
import { applySettings, lockSettings } from '../workspaces/index.ts'
import { isReviewed, partOf, readPlan, refuseCalls, type PlannedCode, type ApplyRequest } from './read-workspace.ts'

/** What a document may change: whoever applies one may do all of it by hand, in every name. */
const REACH: readonly Permission[] = [
  'analytics:write',
  'campaigns:write',
  'channels:manage',
  'content:publish',
  'content:write',
  'journeys:write',
  'messages:manage',
  'messages:write',
  'segments:write',
  'settings:manage',
  'strings:manage',
  'strings:publish',
  'types:write',
  'webhooks:manage',
]

/** Makes the workspace what the document says, in one transaction; 409 when it is no longer the one that `version` was planned for. */
export async function applyWorkspace(ctx: Context, by: Actor, wish: ApplyRequest, version: string): Promise<CodeChange[]> {
  const now = ctx.clock.now()
  if (names(wish, 'webhooks') || names(wish, 'channels'))
    await refuseCalls(ctx, by.workspaceId, await readPlan(ctx, ctx.db, by.workspaceId, wish))
  const { changes, touched } = await changeCatalog(ctx, by, (change, catalog) => applyIn(ctx, change, catalog, { ...wish, version }))
  await recomputeDue(ctx, by.workspaceId, touched, now)
  return changes
}

const names = ({ document }: ApplyRequest, kind: CodeKind) => isPlainObject(document) && document[kind] !== undefined

/** What was done, and the segments that have to be worked out anew once it is committed (`recomputeDue`). */
export type Applied = { changes: CodeChange[]; touched: string[] }

/** The same as part of a change that holds the catalog. Without `version` it is made whatever the workspace is now. */
export async function applyIn(
  ctx: Context,
  change: Change,
  catalog: LockedCatalog,
  { version, ...wish }: ApplyRequest & { version?: string },
): Promise<Applied> {
  await lockSettings(change.tx, change.workspaceId)
  await lockContent(change.tx, change.workspaceId)
  const segments = await lockSegments(change.tx, change.workspaceId)
  if (names(wish, 'events')) await lockEventCatalog(change.tx, change.workspaceId)
  if (names(wish, 'channels')) await lockChannels(change.tx, change.workspaceId)
  const plan = await readPlan(ctx, change.tx, change.workspaceId, wish)
  if (version !== undefined && plan.version !== version) fail('WORKSPACE_CHANGED')
  for (const permission of REACH) change.require(permission, {})
  // What names others goes before them, and is made after them.
  await applyCampaigns(change, { written: [], deleted: partOf(plan, 'campaigns').deleted })
  await applyJourneys(change, { written: [], deleted: partOf(plan, 'journeys').deleted })
  await applyConfiguration(change, plan)
  const source = plan.wanted.locales?.find((locale) => locale.source)?.code ?? null
  await applyCatalog(change, catalog, { locales: { ...partOf(plan, 'locales'), source }, strings: partOf(plan, 'strings') })
  const blocks = partOf(plan, 'blocks')
  await applyDefinitions(change, plan.found.definitions, { written: blocks.written, archived: blocks.deleted })
  const named = partOf(plan, 'segments')
  const isMoved = named.written.length + named.deleted.length > 0
  const moved = isMoved ? await applySegments(change, segments, named) : []
  await applyFences(change, plan)
  // Before the types, of which reports that go may be the last to use a property.
  await applyReports(change, await listSegments(change.tx, change.workspaceId), partOf(plan, 'reports'))
  await applyEventTypes(change, eventsPart(plan))
  await applyContent(change, plan)
  await applyMails(change, partOf(plan, 'mails'))
  await applyEndpoints(ctx, change, partOf(plan, 'webhooks'))
  await applyTopics(change, partOf(plan, 'topics'))
  await applyJourneys(change, { written: partOf(plan, 'journeys').written, deleted: [] })
  await applyCampaigns(change, { written: partOf(plan, 'campaigns').written, deleted: [] })
  await applyExperiments(change, partOf(plan, 'experiments'))
  await dropEndpoints(change, partOf(plan, 'webhooks').deleted)
  await applyChannels(ctx, change, partOf(plan, 'channels'))
  return { changes: plan.changes, touched: moved }
}

async function applyConfiguration(change: Change, { wanted, changes }: PlannedCode): Promise<void> {
  const { tx, workspaceId, now } = change
  const names = new Set(changes.flatMap(({ kind, key }) => (kind === 'settings' ? [key] : [])))
  const settings: Partial<SettingsCode> = Object.fromEntries(Object.entries(wanted.settings ?? {}).filter(([name]) => names.has(name)))
  const { publishApproval, launchProtection, sensorApproval, eventRetentionDays } = settings
  await applySettings(change, settings)
  if (publishApproval !== undefined) await updatePublishApproval(tx, workspaceId, publishApproval, now)
  if (launchProtection) await updateLaunch(tx, workspaceId, launchProtection, now)
  if (sensorApproval !== undefined) await setSensorApproval(tx, workspaceId, sensorApproval, now)
  if (eventRetentionDays !== undefined) await keepEvents(change, eventRetentionDays)
}

async function applyContent(change: Change, plan: PlannedCode): Promise<void> {
  const { written, deleted } = partOf(plan, 'instances')
  if (written.length + deleted.length === 0) return
  const order = orderInstances(plan.wanted.instances ?? [], fieldsByBlock(plan.wanted.blocks ?? plan.found.code.blocks))
  if (!order.ok) return failWith(400, `document: ${order.error}`)
  const ids = new Set(written.map(({ id }) => id))
  await applyInstances(change, { written: order.value.filter(({ id }) => ids.has(id)), deleted, isReviewed: isReviewed(plan) })
}

function eventsPart(plan: PlannedCode) {
  const { written, deleted: undeclared } = partOf(plan, 'events')
  return { written, undeclared }
}

async function applyFences({ tx, workspaceId, now }: Change, plan: PlannedCode): Promise<void> {
  const { written, deleted } = partOf(plan, 'geofences')
  const stored = new Set(plan.found.code.geofences.map(({ id }) => id))
  for (const id of deleted) await deleteGeofence(tx, workspaceId, id)
  for (const { id, ...fence } of written) {
    if (stored.has(id)) await updateGeofence(tx, workspaceId, id, fence, now)
    else await insertGeofence(tx, workspaceId, id, fence, now)
  }
}
