/** What one version of a journey has that the one before it did not. */
import { canonicalJson } from '../json/canonical-json.ts'
import type { SendChannel } from '../messages/window.ts'
import { hasBranches, listSteps, type Journey, type Step, type StepType } from './journey.ts'

export const STEP_CHANGES = ['added', 'removed', 'changed', 'moved'] as const
/** `moved`: it stands elsewhere among the others, or in another branch; `changed` says more. */
export type StepChange = { step: string; type: StepType; channel?: SendChannel; change: (typeof STEP_CHANGES)[number] }
/** `members`: which of them differ, besides the steps. */
export type Changes = { members: (typeof MEMBERS)[number][]; steps: StepChange[] }

export const MEMBERS = ['name', 'trigger', 'goal', 'entry', 'exitOn'] as const

/** In the order of the steps as they are now; those that are gone stand last. */
export function changesBetween(before: Journey, after: Journey): Changes {
  const [former, now] = [listSteps(before.steps), listSteps(after.steps)]
  const known = new Map(former.map((step) => [step.id, step]))
  const left = new Set(now.map(({ id }) => id))
  const moved = movedBetween(before.steps, after.steps)
  const of = (step: Step): StepChange['change'] | undefined => {
    const was = known.get(step.id)
    if (!was) return 'added'
    if (canonicalJson(ownOf(was)) !== canonicalJson(ownOf(step))) return 'changed'
    return moved.has(step.id) ? 'moved' : undefined
  }
  const steps = now.flatMap((step) => toChange(step, of(step)))
  const removed = former.filter(({ id }) => !left.has(id)).flatMap((step) => toChange(step, 'removed'))
  return {
    members: MEMBERS.filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null)),
    steps: [...steps, ...removed],
  }
}

/** Whether it is the same journey still. */
export function isUnchanged({ members, steps }: Changes): boolean {
  return members.length === 0 && steps.length === 0
}

function toChange(step: Step, change: StepChange['change'] | undefined): StepChange[] {
  if (change === undefined) return []
  return [{ step: step.id, type: step.type, ...(step.type === 'send' && { channel: step.channel }), change }]
}

/** A step without what stands in its branches. */
function ownOf(step: Step): object {
  return hasBranches(step) ? { ...step, then: [], else: [] } : step
}

/** Of the steps that both have: those in another list than before, and the fewest without which the others keep their order. */
function movedBetween(before: readonly Step[], after: readonly Step[]): Set<string> {
  const [from, to] = [listsOf(before), listsOf(after)]
  const places = new Map([...from].flatMap(([list, ids]) => ids.map((id, index) => [id, { list, index }] as const)))
  const moved = new Set<string>()
  for (const [list, ids] of to) {
    const stayed = ids.flatMap((id) => {
      const place = places.get(id)
      if (place && place.list !== list) moved.add(id)
      return place?.list === list ? [{ id, index: place.index }] : []
    })
    const kept = longestRising(stayed.map(({ index }) => index))
    for (const [at, { id }] of stayed.entries()) if (!kept.has(at)) moved.add(id)
  }
  return moved
}

/** Ids by the list they stand in: the journey's own, or a branch. */
function listsOf(steps: readonly Step[], list = '', found = new Map<string, string[]>()): Map<string, string[]> {
  found.set(
    list,
    steps.map(({ id }) => id),
  )
  for (const step of steps) {
    if (!hasBranches(step)) continue
    listsOf(step.then, `${step.id} then`, found)
    listsOf(step.else, `${step.id} else`, found)
  }
  return found
}

/** Places of a longest part of the list that rises. */
function longestRising(values: readonly number[]): Set<number> {
  const best: { length: number; from: number }[] = []
  for (const value of values) {
    let found = { length: 1, from: -1 }
    for (const [earlier, { length }] of best.entries())
      if ((values[earlier] ?? Infinity) < value && length >= found.length) found = { length: length + 1, from: earlier }
    best.push(found)
  }
  const kept = new Set<number>()
  let at = best.reduce((longest, { length }, index) => (length > (best[longest]?.length ?? 0) ? index : longest), -1)
  for (; at !== -1; at = best[at]?.from ?? -1) kept.add(at)
  return kept
}
