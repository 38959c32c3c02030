/** Events on their way to journeys: what a journey may have to do with is written into its inbox as it is counted. */
import type { Heard, Hearing } from '@contentflow/core/journeys/hearing.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { countInBatches, groupBatches, holdOwners, inBatches, ofBatches, readEvents, type EventOfPerson } from '../../behaviour/index.ts'
import { hearingOf } from '../compile.ts'
import { listListening, type StoredJourney } from '../queries.ts'
import { ensureCheck } from '../runs/queries-checks.ts'
import { JOURNEYS } from '../runs/work-kind.ts'
import { insertHeard, type HeardByPerson } from './queries-inbox.ts'

type Listener = { work: string; hear(tx: Db, workspaceId: string, batches: readonly { id: number; received_at: Date }[]): Promise<boolean> }

/**
 * Called in the transaction that counts events, so each is heard once, whenever a process dies. It only writes down what was
 * heard; the check that follows at once decides what comes of it.
 */
export function journeysListener(ctx: Context): Listener {
  return { work: JOURNEYS, hear: async (tx, workspaceId, batches) => hearCounted(ctx, tx, workspaceId, batches) }
}

async function hearCounted(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  batches: readonly { id: number; received_at: Date }[],
): Promise<boolean> {
  const journeys = await listListening(tx, workspaceId)
  if (journeys.length === 0) return false
  const listening = journeys.map((journey) => ({ journey, hearing: hearingOf(workspaceId, journey) }))
  const types = [...new Set(listening.flatMap(({ hearing }) => hearing.types))]
  const which = ofBatches(batches)
  let heard = 0
  for (const group of groupBatches(await countInBatches(tx, workspaceId, types, which))) {
    const events = await readEvents(tx, workspaceId, types, inBatches(which, group))
    for (const { journey, hearing } of listening) {
      const found = await ctx.timeSlicer.run(workspaceId, gatherHeard(journey, hearing, events))
      if (found.length > 0) heard += await insertHeard(tx, workspaceId, journey.id, await ofToday(tx, workspaceId, found))
    }
  }
  if (heard > 0) await ensureCheck(tx, workspaceId, ctx.clock.now(), 'events')
  return heard > 0
}

/** `mayEnter`: one of the person's events is of the trigger of a journey that takes people, so all of theirs are wanted. */
export function* gatherHeard(
  { status }: Pick<StoredJourney, 'status'>,
  hearing: Hearing,
  events: readonly EventOfPerson[],
): Generator<undefined, HeardByPerson[]> {
  const types = new Set(hearing.types)
  const people = new Map<string, HeardByPerson>()
  for (const event of events) {
    const heard: Heard | undefined = types.has(event.type) ? hearing.hear(event) : undefined
    if (heard) {
      const theirs = people.get(event.person) ?? { person: event.person, mayEnter: false, hasGoal: false, heard: [] }
      people.set(event.person, theirs)
      theirs.heard.push(heard)
      theirs.mayEnter ||= heard.trigger !== undefined && status === 'active'
      theirs.hasGoal ||= heard.goal !== undefined
    }
    yield
  }
  return [...people.values()]
}

/** By who they are now, who are held. */
async function ofToday(tx: Db, workspaceId: string, found: readonly HeardByPerson[]): Promise<HeardByPerson[]> {
  const owners = await holdOwners(
    tx,
    workspaceId,
    found.map(({ person }) => person),
  )
  const held = new Map<string, HeardByPerson>()
  for (const { person, mayEnter, hasGoal, heard } of found) {
    const owner = owners.get(person)
    if (owner === undefined) continue
    const known = held.get(owner)
    held.set(owner, {
      person: owner,
      mayEnter: mayEnter || known?.mayEnter === true,
      hasGoal: hasGoal || known?.hasGoal === true,
      heard: [...(known?.heard ?? []), ...heard],
    })
  }
  return [...held.values()]
}
