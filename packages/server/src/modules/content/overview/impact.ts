/** Describes what publishing an instance would change, before it is done: its saved content, or what a save would store. */
import { compareContent, filledContent, isWithoutDifference, type Differences } from '@contentflow/core/blocks/compare-content.ts'
import { instanceState, type InstanceState } from '@contentflow/core/blocks/instance-state.ts'
import { applyPatch, publishFault, type InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { targetOf } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { listWriteOnly, roundedCount } from '@contentflow/core/targeting/write-only.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { ERRORS } from '../../../errors.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import { ttlCache } from '../../../infra/cache/ttl-cache.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findOwnEnvironment } from '../../people/index.ts'
import * as queries from '../revisions/queries.ts'
import { countDevices, listSegmentRules } from './queries-audience.ts'
import * as instanceQueries from '../revisions/queries-instances.ts'
import type { Instance } from '../revisions/queries-instances.ts'
import { contentOfRevision } from '../revisions/move-pointers.ts'
import { servedRevision } from '../revisions/served.ts'
import { readServing, UNSAVED } from '../revisions/serving.ts'
import { presentServing } from './present-impact.ts'
import { readPatch } from '../revisions/save-instance.ts'

/** Days within which a device that was seen counts as active. */
const ACTIVE_DAYS = 30
/** A count over a million devices takes a second; for a decision it may be a minute old. */
const COUNT_KEPT_MS = 60_000
const COUNTS_HELD = 10_000

/** Devices that get targeted content, of a segment or of everyone. */
type Audience = { segment: string | null; isKnown: boolean; devices: number; fewerThan?: number; asOf: Date }
type Impact = {
  target: Environment
  change: 'added' | 'changed' | 'nothing'
  differences: Differences
  /** Why publishing would be refused. */
  fault: string | null
  /** The state of the instance afterwards. */
  state: InstanceState
  schedule: InstanceContent['schedule']
  audience: Audience
  /** Who gets the instance now; null while nobody does. */
  audienceNow: Audience | null
  serving: ReturnType<typeof presentServing>
}

/** `at`: published at this moment, now when left out. `revision`: this one as it is. `moved`: the planned publication that this one is. */
export type ImpactQuery = {
  workspaceId: string
  blockKey: string
  id: string
  target: Environment
  at?: Date | undefined
  revision?: number | undefined
  moved?: string | undefined
}
export type AskImpact = (question: ImpactQuery, readBody?: () => unknown) => Promise<Impact>

/** `readBody` gives the partial body of a save; it is read after the instance was found. */
export function openImpact(ctx: Context): AskImpact {
  const recall = ttlCache<Omit<Audience, 'segment'>>(ctx.clock, { keptMs: COUNT_KEPT_MS, held: COUNTS_HELD })
  const audienceOf = async (workspaceId: string, environment: Environment, { seg }: InstanceContent): Promise<Audience> => {
    const segment = targetOf(seg)
    const counted = await recall(JSON.stringify([workspaceId, environment, segment]), async () => {
      const asOf = ctx.clock.now()
      const since = new Date(asOf.getTime() - ACTIVE_DAYS * DAY_MS)
      const { devices, isKnown } = await countDevices(ctx.db, workspaceId, environment, segment, since)
      return { devices, isKnown: isKnown || segment === undefined, asOf }
    })
    return { segment: segment ?? null, ...counted }
  }
  return async ({ workspaceId, blockKey, id, target, ...asked }, readBody) => {
    const definition = await queries.getActiveDefinition(ctx.db, workspaceId, blockKey)
    const before = await instanceQueries.getInstance(ctx.db, workspaceId, blockKey, id)
    const patch = readBody && (await readPatch({ tx: ctx.db, workspaceId }, readBody(), definition))
    const { revision } = asked
    const kept = revision === undefined ? before : await contentOfRevision({ tx: ctx.db, workspaceId }, before, revision)
    const after = { ...before, ...(patch ? applyPatch(before, patch) : kept) }
    const planned = {
      revision: patch ? UNSAVED : (revision ?? before.version),
      content: after,
      at: (asked.at ?? ctx.clock.now()).getTime(),
      moved: asked.moved,
    }
    const number = servedRevision(before, target)
    const served = number === null ? undefined : await contentOfRevision({ tx: ctx.db, workspaceId }, before, number)
    const isRetired = target === 'test' && (await queries.isTestRetired(ctx.db, workspaceId))
    const environment = target === 'test' ? 'test' : await findOwnEnvironment(ctx.db, workspaceId)
    const differences = served ? compareContent(definition.fields, served, after) : filledContent(definition.fields, after)
    return {
      target,
      change: served ? (isWithoutDifference(differences) ? 'nothing' : 'changed') : 'added',
      differences,
      fault: isRetired ? ERRORS.TEST_ENV_RETIRED[1] : (publishFault(definition.fields, after) ?? null),
      state: stateAfter(after, target, ctx.clock.ms()),
      schedule: after.schedule,
      audience: await audienceOf(workspaceId, environment, after),
      audienceNow: served ? await audienceOf(workspaceId, environment, served) : null,
      serving: presentServing(await readServing(ctx.db, workspaceId, before, { target, planned, now: ctx.clock.ms() }), {
        target,
        revision: planned.revision,
      }),
    }
  }
}

/** The impact as a member sees it: viewers get no small counts of segments whose rules use industry data or imported data. */
export async function roundImpact({ db }: Context, { workspaceId, role }: MemberCaller, impact: Impact): Promise<Impact> {
  if (role !== 'viewer') return impact
  const segments = await listSegmentRules(db, workspaceId)
  const ids = listWriteOnly(segments)
  const rounded = new Set(segments.flatMap(({ id, name }) => (ids.has(id) ? [name] : [])))
  const { audience, audienceNow, ...rest } = impact
  const round = (of: Audience): Audience => {
    if (of.segment === null || !rounded.has(of.segment)) return of
    const { count: devices, ...fewer } = roundedCount(of.devices)
    return { ...of, devices, ...fewer }
  }
  return { ...rest, audience: round(audience), audienceNow: audienceNow && round(audienceNow) }
}

function stateAfter({ liveRevision, schedule }: Instance, target: Environment, now: number): InstanceState {
  return instanceState({ isLive: target === 'live' || liveRevision !== null, isTest: true, schedule }, now)
}
