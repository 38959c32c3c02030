/** How far people come along steps, and who they are. */
import { FunnelSums, walkFunnel, type Progress } from '@contentflow/core/analysis/funnel.ts'
import { BY_SEGMENT, type EventChoice, type FunnelQuestion } from '@contentflow/core/analysis/question.ts'
import { groupsOf } from '@contentflow/core/analysis/timelines.ts'
import { testRows } from '@contentflow/core/analysis/where-columns.ts'
import type { Context } from '../../../context.ts'
import { chooseGroups, segmentGroups, type Group, type Groups, type SegmentGroup } from './groups.ts'
import { countValues, findTypeIds, type Source, type Wanted } from './queries-read.ts'
import { readTimelines, type Covered, type Mark, type Sampled } from './read-timelines.ts'

/** `share`: of those who took the first step; `shareOfPrevious`: of those who took the step before. */
type FunnelStep = { type: string; people: number; share: number; shareOfPrevious: number; medianSeconds: number | null }
type FunnelAnswer = Covered & { steps: FunnelStep[]; groups: (Group & { people: number[] })[] }

type Note = (person: number, progress: Progress, groups: readonly number[]) => void
/** `segments`: those that a question by segment tells people apart by. */
type Asked = { question: FunnelQuestion; segments: readonly SegmentGroup[] }

export async function funnel(ctx: Context, source: Source, asked: Asked): Promise<FunnelAnswer> {
  const { question } = asked
  const all = new FunnelSums(question.steps.length)
  const byGroup: number[][] = []
  const { covered, groups } = await walk(ctx, source, asked, (_person, progress, ofPerson) => {
    all.add(progress)
    for (const group of ofPerson) {
      byGroup[group] ??= question.steps.map(() => 0)
      for (let step = 0; step < progress.depth; step++) byGroup[group][step]!++
    }
  })
  const scale = scaleOf(covered.sampled)
  return {
    ...covered,
    steps: question.steps.map(({ type }, step) => {
      const [people, first, before] = [all.people[step]!, all.people[0]!, all.people[Math.max(0, step - 1)]!]
      const median = all.medianMs(step)
      return {
        type,
        people: scale(people),
        share: first === 0 ? 0 : people / first,
        shareOfPrevious: before === 0 ? 0 : people / before,
        medianSeconds: median === undefined ? null : median / 1000,
      }
    }),
    groups: question.by === undefined ? [] : groups.list.flatMap((group, index) => presentGroup(group, byGroup[index], scale)),
  }
}

function presentGroup(group: Group, people: readonly number[] | undefined, scale: (people: number) => number) {
  return people ? [{ ...group, people: people.map(scale) }] : []
}

const scaleOf = (sampled: Sampled) => (people: number) => (sampled ? Math.round((people * sampled.of) / sampled.parts) : people)

/** Numbers of people who took this step, or with `isDropped` took it and not the next one; at most so many, and how many there are. */
export async function findPeople(
  ctx: Context,
  source: Source,
  question: FunnelQuestion,
  { step, isDropped, most }: { step: number; isDropped: boolean; most: number },
): Promise<{ numbers: number[]; total: number; covered: Covered }> {
  const numbers: number[] = []
  let total = 0
  const { by: _by, ...untold } = question
  const { covered } = await walk(ctx, source, { question: untold, segments: [] }, (person, { depth }) => {
    if (isDropped ? depth !== step + 1 : depth <= step) return
    total++
    if (numbers.length < most) numbers.push(person)
  })
  return { numbers, total: scaleOf(covered.sampled)(total), covered }
}

async function walk(
  ctx: Context,
  source: Source,
  { question, segments }: Asked,
  note: Note,
): Promise<{ covered: Covered; groups: Groups }> {
  const { steps, windowMs, order, by, segment, period } = question
  const ids = await findTypeIds(
    ctx.db,
    source.workspaceId,
    steps.map(({ type }) => type),
  )
  const wanted: Wanted = { ...source, typeIds: [...ids.values()], from: new Date(period.from), to: new Date(period.to) }
  const groups = by === BY_SEGMENT ? segmentGroups(segments) : chooseGroups(by === undefined ? [] : await countValues(ctx.db, wanted, by))
  const mark = markSteps(steps, ids, by === undefined || by === BY_SEGMENT ? undefined : { field: by, groups })
  const covered = await readTimelines(ctx, { wanted, segments: { only: segment, by: groups.segments }, mark }, (timelines) =>
    walkFunnel(timelines, { steps: steps.length, windowMs, order }, note),
  )
  return { covered, groups }
}

/** Sets bit `k` for an event that is a choice `k`. */
export function markSteps(steps: readonly EventChoice[], ids: ReadonlyMap<string, number>, by?: { field: string; groups: Groups }): Mark {
  return ({ typeId }, columns) => {
    const marks = new Uint16Array(columns.keys.length)
    for (const [step, { type, where }] of steps.entries()) {
      if (ids.get(type) !== typeId) continue
      const holds = testRows(columns, where)
      for (let row = 0; row < marks.length; row++) if (holds(row)) marks[row]! |= 1 << step
    }
    return { marks, groups: by && groupsOf(columns, by.field, by.groups) }
  }
}
