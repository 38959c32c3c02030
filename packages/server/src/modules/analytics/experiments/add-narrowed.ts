/** Outcomes whose events have to meet conditions: judged as rules on events are, in steps, because conditions may have patterns. */
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { countInBatches, groupBatches, ofBatches, testOf } from '../../behaviour/index.ts'
import type { EventBatch } from '../queries-counts.ts'
import * as queries from './queries-units.ts'
import type { Matched, Outcome, UnitEvent } from './queries-units.ts'

type Narrowed = { place: number; asked: readonly Outcome[] }

/** In the transaction that counts. Some thousand events are in memory at a time, of units that were exposed. */
export async function addNarrowed(
  { timeSlicer }: Context,
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  { place, asked }: Narrowed,
): Promise<void> {
  const types = [...new Set(asked.map(({ type }) => type))]
  const byId = new Map(batches.map((batch) => [batch.id, batch]))
  for (const group of groupBatches(await countInBatches(tx, workspaceId, types, ofBatches(batches)))) {
    const some = group.flatMap((id) => byId.get(id) ?? [])
    const events = await queries.listUnitEvents(tx, workspaceId, some, asked)
    const matched = await timeSlicer.run(workspaceId, judge(asked, events))
    if (matched.length > 0) await queries.addMatched(tx, workspaceId, { place, asked, matched })
  }
}

function* judge(asked: readonly Outcome[], events: readonly UnitEvent[]): Generator<undefined, Matched[]> {
  const tests = asked.map((outcome, index) => ({ ...outcome, index, matches: testOf(outcome.where) }))
  const matched: Matched[] = []
  for (const event of events) {
    const { type, unit, receivedAt, value, instanceId, campaignId } = event
    for (const { index, matches, ...outcome } of tests) {
      const named = outcome.subject === 'instance' ? instanceId : campaignId
      if (outcome.type !== type || (outcome.subject !== '' && named !== outcome.subject_id)) continue
      if (matches(event)) matched.push({ asked: index, unit, received_at: receivedAt, value })
    }
    yield
  }
  return matched
}
