/** Whether people come back. */
import { addToCohorts, emptyCohorts, periodBounds } from '@contentflow/core/analysis/retention.ts'
import type { RetentionQuestion } from '@contentflow/core/analysis/question.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { markSteps } from './funnel.ts'
import { findTypeIds, type Source, type Wanted } from './queries-read.ts'
import { originOf, readTimelines, type Covered } from './read-timelines.ts'

type RetentionAnswer = Covered & { from: Date; to: Date; cohorts: { from: Date; people: number; returned: number[] }[] }

export async function retention(ctx: Context, source: Source, question: RetentionQuestion): Promise<RetentionAnswer> {
  const { start, back, unit, periods, segment } = question
  const bounds = periodBounds(unit, periods, ctx.clock.ms())
  const ids = await findTypeIds(ctx.db, source.workspaceId, [start.type, back.type])
  const [from, to] = [new Date(bounds[0]!), new Date(bounds.at(-1)!)]
  // What a device did before midnight may have arrived on the day after.
  const wanted: Wanted = { ...source, typeIds: [...ids.values()], from, to: new Date(to.getTime() + DAY_MS) }
  const cohorts = emptyCohorts(bounds)
  const origin = originOf(wanted)
  const fromOrigin = bounds.map((ms) => ms - origin)
  const covered = await readTimelines(ctx, { wanted, segments: { only: segment }, mark: markSteps([start, back], ids) }, (timelines) =>
    addToCohorts(timelines, fromOrigin, cohorts),
  )
  const { sampled } = covered
  const scale = (people: number) => (sampled ? Math.round((people * sampled.of) / sampled.parts) : people)
  return {
    ...covered,
    from,
    to,
    cohorts: cohorts.map(({ people, returned }, index) => ({
      from: new Date(bounds[index]!),
      people: scale(people),
      returned: returned.map(scale),
    })),
  }
}
