/** A draft and what is stored of it. Pure. */
import { hasBranches, type Step } from '@contentflow/core/journeys/journey.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { readJourney } from '@contentflow/core/journeys/read-journey.ts'
import { isStopping, type Faults, type JourneyDraft } from './faults.ts'

/** The editable part of a journey. A missing number is null when stored, and NaN in fields. */
export function draftOf({ name, trigger, steps, goal, entry = null, exitOn = null }: JourneyDraft): JourneyDraft {
  return { name, trigger: withNumbers(trigger), steps: steps.map(openStep), goal: goal && withNumbers(goal), entry, exitOn }
}

function openStep(step: Step): Step {
  const open = withNumbers(step)
  return hasBranches(open) ? { ...open, then: open.then.map(openStep), else: open.else.map(openStep) } : open
}

/** The draft with missing numbers as fields have them. No other member of these is ever null. */
export function withNumbers<T extends object>(held: T): T {
  return Object.fromEntries(
    Object.entries(held).map(([name, value]: [string, unknown]) => [name, value === null ? Number.NaN : value]),
  ) as T
}

/** Compares regardless of the order of members, which the database changes. */
export function isSame(a: JourneyDraft, b: JourneyDraft): boolean {
  return canonicalJson(draftOf(a)) === canonicalJson(draftOf(b))
}

/** Whether it lacks nothing that it needs to run. */
export function isComplete(faults: Faults): boolean {
  return ![...faults.values()].some((found) => found.some(isStopping))
}

/** Whether the server would store it as a draft, though something may be missing: asked of the server's own rules. */
export function isStorable(draft: JourneyDraft, faults: Faults): boolean {
  const isSegmentGone = (faults.get('trigger') ?? []).some(({ kind }) => kind === 'segmentGone')
  const sent: unknown = JSON.parse(JSON.stringify(draft))
  return !isSegmentGone && readJourney(sent, { isNew: true, isRegexValid: () => undefined, newId: () => '', mayBeIncomplete: true }).ok
}
