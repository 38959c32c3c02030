/** The steps of a journey while they are edited: a tree in which a condition or a split holds two lists. */
import { hasBranches, type Step, type StepType } from '@contentflow/core/journeys/journey.ts'

export type Branch = 'then' | 'else'
export type Condition = Extract<Step, { type: 'condition' }>
/** The position of a step, existing or new: the list, and the index in it. Without a parent: the journey's own list. */
export type StepPosition = { parent?: { id: string; branch: Branch }; index: number }

/** `zone`: where the clocks of the workspace are. */
export function newStep(type: StepType, zone: string): Step {
  const id = crypto.randomUUID()
  switch (type) {
    case 'wait':
      return { id, type, minutes: 1_440 }
    case 'wait_until':
      return { id, type, hour: 9, zone }
    case 'wait_for':
      return { id, type, event: '', timeoutMinutes: 1_440, then: [], else: [] }
    case 'split':
      return { id, type, percent: 50, then: [], else: [] }
    case 'send':
      return { id, type, channel: 'push', content: {} }
    case 'condition':
      return { id, type, rule: { logicalOperator: 'AND', rules: [{ field: '', operator: 'equals' }] }, then: [], else: [] }
    case 'in_app':
      return { id, type, content: {} }
    case 'webhook':
      return { id, type, endpoint: '' }
    case 'update_profile':
      return { id, type, set: { '': '' } }
    case 'exit':
      return { id, type }
    default:
      return type satisfies never
  }
}

export function findStep(steps: readonly Step[], id: string): Step | undefined {
  for (const step of steps) {
    if (step.id === id) return step
    const found = hasBranches(step) ? (findStep(step.then, id) ?? findStep(step.else, id)) : undefined
    if (found) return found
  }
  return undefined
}

/** The list with this one in place of the step of its id. */
export function replaceStep(steps: readonly Step[], next: Step): Step[] {
  return steps.map((step) => {
    if (step.id === next.id) return next
    return hasBranches(step) ? { ...step, then: replaceStep(step.then, next), else: replaceStep(step.else, next) } : step
  })
}

export function insertStep(steps: readonly Step[], { parent, index }: StepPosition, step: Step): Step[] {
  if (!parent) return steps.toSpliced(index, 0, step)
  return steps.map((each) => {
    if (!hasBranches(each)) return each
    if (each.id === parent.id) return { ...each, [parent.branch]: each[parent.branch].toSpliced(index, 0, step) }
    return { ...each, then: insertStep(each.then, { parent, index }, step), else: insertStep(each.else, { parent, index }, step) }
  })
}

/** A step with branches goes with everything in its branches. */
export function removeStep(steps: readonly Step[], id: string): Step[] {
  return steps
    .filter((step) => step.id !== id)
    .map((step) => (hasBranches(step) ? { ...step, then: removeStep(step.then, id), else: removeStep(step.else, id) } : step))
}

/** Every place a step can be put, in the order of reading. */
export function placesOf(steps: readonly Step[], parent?: StepPosition['parent']): StepPosition[] {
  const place = (index: number): StepPosition => (parent ? { parent, index } : { index })
  return [
    ...steps.flatMap((step, index) => [
      place(index),
      ...(hasBranches(step)
        ? [...placesOf(step.then, { id: step.id, branch: 'then' }), ...placesOf(step.else, { id: step.id, branch: 'else' })]
        : []),
    ]),
    place(steps.length),
  ]
}

/** Moves a step one place forward or back, into branches and out of them; undefined: there is no such place. */
export function moveStep(steps: readonly Step[], id: string, by: 1 | -1): Step[] | undefined {
  const step = findStep(steps, id)
  const from = placesOf(steps).findIndex((place) => stepAt(steps, place)?.id === id)
  if (!step || from === -1) return undefined
  const others = removeStep(steps, id)
  // The steps before it are the same without it, so its place keeps its number.
  const to = placesOf(others)[from + by]
  return to && insertStep(others, to, step)
}

function stepAt(steps: readonly Step[], { parent, index }: StepPosition): Step | undefined {
  if (!parent) return steps[index]
  const branching = findStep(steps, parent.id)
  return branching && hasBranches(branching) ? branching[parent.branch][index] : undefined
}
