import { createHash } from 'node:crypto'
import { subjectFault } from '@contentflow/core/as-code/experiment-code.ts'
import { fieldsByBlock } from '@contentflow/core/as-code/instance-code.ts'
import { faultBetween, planCode, type CodeChange, type CodeKept } from '@contentflow/core/as-code/plan-code.ts'
import {
  BOUND_KINDS,
  CODE_KINDS,
  orderKinds,
  itemsOf,
  readCode,
  type BoundKind,
  type CodeKind,
  type WorkspaceCode,
} from '@contentflow/core/as-code/workspace-code.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { CampaignStatus } from '@contentflow/core/campaigns/status.ts'
import type { JourneyStatus } from '@contentflow/core/journeys/journey.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import { listReportCode } from '../analysis/index.ts'
import { listCampaignCode } from '../campaigns/index.ts'
import { listChannelCode, refuseChannels } from '../channels/index.ts'
import { listDeclaredTypes } from '../event-catalog/index.ts'
import { definitionOf, listDefinitions, listInstanceCode } from '../content/index.ts'
import { listExperimentCode } from '../experiments/index.ts'
import { listJourneyCode } from '../journeys/index.ts'
import { listGeofences } from '../location/index.ts'
import { codeOf, listSegments, openRegexCheck } from '../segments/index.ts'
import { listLocaleCode, listStringCode } from '../strings/index.ts'
import { listMailCode } from '../mails/index.ts'
import { listTopicCode } from '../topics/index.ts'
import { listWebhookCode, refuseAddresses } from '../webhooks/index.ts'
import { findTimeZone } from '../calendar/index.ts'
import { getSettings, settingsOf } from '../workspaces/index.ts'

/** What there is, with the rows it was read from. */
export type Found = {
  /** Kinds that were not asked for, and may be large, are empty. */
  code: WorkspaceCode
  definitions: Awaited<ReturnType<typeof listDefinitions>>
  segments: Awaited<ReturnType<typeof listSegments>>
  journeyStatuses: Map<string, JourneyStatus>
  campaignStatuses: Map<string, CampaignStatus>
  /** Experiments that were counted, whose goal stays. */
  begunExperiments: ReadonlySet<string>
}
/** `prune`: kinds that are bound to where they stand, of which what the document leaves out goes too. */
export type ApplyRequest = { document: unknown; prune?: readonly BoundKind[] | undefined }
/** `version`: another one when anything that the plan is made of is another. */
export type PlannedCode = { wanted: Partial<WorkspaceCode>; found: Found; changes: CodeChange[]; kept: CodeKept[]; version: string }

/** These kinds of it; what they name of others is there too. */
export async function exportWorkspace(db: Db, workspaceId: string, kinds: readonly CodeKind[]): Promise<Partial<WorkspaceCode>> {
  const { code } = await readAll(db, workspaceId, await readNamed(db, workspaceId), { kinds })
  return Object.fromEntries(CODE_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => [kind, code[kind]]))
}

/** What a document would change; 400 says where its first fault is. */
export async function readPlan(ctx: Context, db: Db, workspaceId: string, { document, prune = [] }: ApplyRequest): Promise<PlannedCode> {
  const named = await readNamed(db, workspaceId)
  const read = await ctx.timeSlicer.run(
    workspaceId,
    readCode(document, { openRegexCheck, blocks: named.code.blocks, day: await findTimeZone(db, workspaceId), now: ctx.clock.ms() }),
  )
  if (!read.ok) return failWith(400, `document: ${read.error}`)
  const wanted = read.value
  const kinds = CODE_KINDS.filter((kind) => wanted[kind])
  const found = await readAll(db, workspaceId, named, { kinds, blocks: wanted.blocks })
  const bound = new Set<CodeKind>(BOUND_KINDS.filter((kind) => !prune.includes(kind)))
  const stays = (kind: CodeKind, key: string) => bound.has(kind) || hasBegun(found, kind, key)
  const { changes, kept } = await ctx.timeSlicer.run(workspaceId, planCode(found.code, wanted, stays))
  const fault = faultBetween(found.code, wanted, changes)
  if (fault !== undefined) failWith(400, `document: ${fault}`)
  const seen = kinds.flatMap((kind) => [kind, ...itemsOf(kind, found.code[kind]), 'wanted', ...itemsOf(kind, wanted[kind] ?? [])])
  const version = await ctx.timeSlicer.run(workspaceId, hashAll([...seen, kept]))
  return { wanted, found, changes, kept, version }
}

function* hashAll(values: readonly unknown[]): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const value of values) {
    // No text of JSON has a line end of its own.
    hash.update(`${canonicalJson(value)}\n`)
    yield
  }
  return hash.digest('hex')
}

/** 400 for what is to call an address that may not be called, or to take secrets to another one. Not inside of a change. */
export async function refuseCalls(ctx: Context, workspaceId: string, plan: PlannedCode): Promise<void> {
  await refuseAddresses(ctx, partOf(plan, 'webhooks').written)
  await refuseChannels(ctx, workspaceId, partOf(plan, 'channels').written)
}

/** What people got something of is no file's to take away: it stays where the file leaves it out. */
function hasBegun({ journeyStatuses, campaignStatuses, begunExperiments }: Found, kind: CodeKind, key: string): boolean {
  if (kind === 'experiments') return begunExperiments.has(key)
  const status = kind === 'journeys' ? journeyStatuses.get(key) : kind === 'campaigns' ? campaignStatuses.get(key) : undefined
  return status !== undefined && status !== 'draft'
}

/** Whether what live keys get takes a second person: also where the same document switches that on or off. */
export function isReviewed({ found, wanted }: PlannedCode): boolean {
  return found.code.settings.publishApproval === true || wanted.settings?.publishApproval === true
}

type Lists = Omit<WorkspaceCode, 'settings'>

/** What is made or changed of a kind, in order, and the names of what goes. */
export function partOf<K extends keyof Lists>(plan: PlannedCode, kind: K): { written: Lists[K][number][]; deleted: string[] } {
  const ofKind = plan.changes.filter((change) => change.kind === kind)
  const keys = new Set(ofKind.flatMap(({ key, change }) => (change === 'delete' ? [] : [key])))
  const items = itemsOf(kind, plan.wanted[kind] ?? [])
  return {
    written: [...items].flatMap(([key, item]) => (keys.has(key) ? [item as Lists[K][number]] : [])),
    deleted: ofKind.flatMap(({ key, change }) => (change === 'delete' ? [key] : [])),
  }
}

type Named = Pick<Found, 'definitions' | 'segments'> & {
  code: Pick<WorkspaceCode, 'settings' | 'locales' | 'blocks' | 'segments' | 'geofences'>
}

/** What other kinds name, and is read each time. */
async function readNamed(db: Db, workspaceId: string): Promise<Named> {
  const settings = settingsOf(await getSettings(db, workspaceId))
  const locales = await listLocaleCode(db, workspaceId)
  const definitions = await listDefinitions(db, workspaceId)
  const segments = await listSegments(db, workspaceId)
  const fences = await listGeofences(db, workspaceId)
  const code = {
    settings,
    locales,
    blocks: definitions.filter(({ archivedAt }) => !archivedAt).map(definitionOf),
    segments: segments.map((segment) => codeOf(segment, segments)),
    geofences: fences.map(({ radius_meters: radiusMeters, id, name, latitude, longitude }) => {
      return { id, name, latitude, longitude, radiusMeters }
    }),
  }
  return { code, definitions, segments }
}

/** Instances as they are with the block types of a document: those of a type that it brings back come back too. */
async function readAll(
  db: Db,
  workspaceId: string,
  { code, ...rows }: Named,
  { kinds, blocks = code.blocks }: { kinds: readonly CodeKind[]; blocks?: WorkspaceCode['blocks'] | undefined },
): Promise<Found> {
  const asked = new Set(kinds)
  const source = code.locales.find((locale) => locale.source)?.code ?? 'en'
  const strings = asked.has('strings') ? await listStringCode(db, workspaceId, { source, locales: code.locales.length }) : []
  const fields = new Map([...fieldsByBlock(code.blocks), ...fieldsByBlock(blocks)])
  // What an experiment is about has to be known.
  if (asked.has('experiments')) for (const kind of ['instances', 'campaigns'] as const) asked.add(kind)
  const instances = asked.has('instances') ? await listInstanceCode(db, workspaceId, fields) : []
  const events = asked.has('events') ? await listDeclaredTypes(db, workspaceId) : []
  const reports = asked.has('reports') ? await listReportCode(db, workspaceId, rows.segments) : []
  const topics = await listTopicCode(db, workspaceId)
  const names = new Map(rows.segments.map(({ id, name }) => [id, name]))
  const journeys = asked.has('journeys') ? await listJourneyCode(db, workspaceId, names) : undefined
  const campaigns = asked.has('campaigns') ? await listCampaignCode(db, workspaceId) : undefined
  const compared = new Set([
    ...instances.map(({ id }) => `instance:${id}`),
    ...(campaigns?.code ?? []).flatMap(({ id }) => [`campaign:${id}`, `control:${id}`]),
  ])
  const faultOf = subjectFault(instances, campaigns?.code ?? [])
  const experiments = asked.has('experiments') ? await listExperimentCode(db, workspaceId, compared) : undefined
  const mails = asked.has('mails') ? await listMailCode(db, workspaceId) : []
  const webhooks = asked.has('webhooks') ? await listWebhookCode(db, workspaceId) : []
  const channels = asked.has('channels') ? await listChannelCode(db, workspaceId) : []
  const all = {
    ...code,
    events,
    reports,
    strings,
    instances,
    mails,
    topics,
    journeys: journeys?.code ?? [],
    campaigns: campaigns?.code ?? [],
    experiments: experiments?.code.filter((each) => faultOf(each) === undefined) ?? [],
    webhooks,
    channels,
  }
  return {
    ...rows,
    code: orderKinds(all),
    journeyStatuses: journeys?.statuses ?? new Map<string, JourneyStatus>(),
    campaignStatuses: campaigns?.statuses ?? new Map<string, CampaignStatus>(),
    begunExperiments: experiments?.begun ?? new Set<string>(),
  }
}
