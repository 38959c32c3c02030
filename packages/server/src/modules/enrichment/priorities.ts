import { prioritiesWith, readOverrides, type Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Context } from '../../context.ts'
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import type { Actor } from '../../infra/change.ts'
import { SEGMENTS, recomputeNowIfSmall } from '../segments/index.ts'
import { findChanges, type Example } from './queries-preview.ts'
import { saveOverrides } from './queries-priorities.ts'
import { PRIORITIES } from './resolve.ts'
import { valueOf } from './sources.ts'

export type Ranking = { priorities: Priorities; overrides: Partial<Priorities> }

/** M-PRIO-05 to M-PRIO-10. In a large workspace values and segments follow behind the answer. */
export async function setPriorities(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<Ranking> {
  const overrides = valueOf(readOverrides(body['priorities']))
  await ctx.change(by, async (change) => {
    await saveOverrides(change.tx, change.workspaceId, overrides, change.now)
    change.nudge(PRIORITIES)
  })
  await recomputeNowIfSmall(ctx, by.workspaceId, [PRIORITIES, SEGMENTS])
  return rankingOf(overrides)
}

export function rankingOf(overrides: Partial<Priorities>): Ranking {
  return { priorities: prioritiesWith(overrides), overrides }
}

export type Preview = {
  checked: number
  people: number
  /** False: there are more people than are looked at for a preview. */
  isComplete: boolean
  attributes: { name: string; people: number }[]
  examples: Example[]
}

/** Bounds of a preview: steps, milliseconds, examples and attributes. */
const PREVIEW = { steps: 10, forMs: 3_000, examples: 5, attributes: 20 }

/** Counts the people who would have another value with this ranking. Changes nothing. */
export async function previewPriorities(ctx: Context, workspaceId: string, body: Record<string, unknown>): Promise<Preview> {
  const priorities = prioritiesWith(valueOf(readOverrides(body['priorities'])))
  const by = performance.now() + PREVIEW.forMs
  const counts = new Map<string, number>()
  const examples: Example[] = []
  let [checked, people, after, isComplete] = [0, 0, '', false]
  for (let step = 0; step < PREVIEW.steps && !isComplete && performance.now() < by; step++) {
    const limit = BATCH_SIZES.enrichedPeople[ctx.engine]
    const wanted = { after, limit, examples: PREVIEW.examples - examples.length, now: ctx.clock.now() }
    const found = await findChanges(ctx.db, workspaceId, priorities, wanted)
    checked += found.checked
    people += found.people
    examples.push(...found.examples)
    for (const [name, count] of Object.entries(found.attributes)) counts.set(name, (counts.get(name) ?? 0) + count)
    isComplete = found.checked < limit
    after = found.last ?? after
  }
  const attributes = Array.from(counts, ([name, count]) => ({ name, people: count })).toSorted((a, b) => b.people - a.people)
  return { checked, people, isComplete, attributes: attributes.slice(0, PREVIEW.attributes), examples }
}
