/**
 * Where everything stands on the canvas: a list goes down, a condition or a split opens two lists beside each other and they join
 * again below. Without crossings there is nothing to search for, and every step stays where it was when another is added.
 */
import { hasBranches, type Branching, type Step } from '@contentflow/core/journeys/journey.ts'
import type { Branch, StepPosition } from '../draft/step-tree.ts'

export const CARD = { width: 248, height: 58, withCounts: 80 }
const GAP = { across: 48, down: 64 }
const JOIN = 12
/** Height of a branch without steps: room for its name. */
const EMPTY = 32

/** `x` is the middle, 0 that of the canvas; `y` the upper edge. */
export type Box = { id: string; kind: 'trigger' | 'step' | 'join' | 'end'; x: number; y: number; step?: Step }
/** A line between two boxes, down at `x`; a step can be inserted at its place. `isDead`: nobody goes this way. */
export type Line = { from: string; to: string; x: number; place: StepPosition; branch?: Branch; isDead: boolean }
export type Layout = { boxes: Box[]; lines: Line[]; width: number; height: number }

export function layOut(steps: readonly Step[], cardHeight: number): Layout {
  const boxes: Box[] = [{ id: 'trigger', kind: 'trigger', x: 0, y: 0 }]
  const lines: Line[] = []
  /** Where a line starts. `isOpen`: people continue from there. */
  type Way = { from: string; y: number; isOpen: boolean; isDead: boolean; branch?: Branch }

  const lead = (way: Way, to: string, x: number, place: StepPosition) => {
    const { from, isDead, branch } = way
    if (way.isOpen) lines.push({ from, to, x, place, isDead, ...(branch && { branch }) })
  }
  const layList = (list: readonly Step[], x: number, start: Way, parent?: StepPosition['parent']): Way => {
    let way = start
    for (const [index, step] of list.entries()) {
      const place: StepPosition = parent ? { parent, index } : { index }
      const y = way.y + GAP.down
      lead(way, step.id, x, place)
      boxes.push({ id: step.id, kind: 'step', x, y, step })
      const isDead = way.isDead || !way.isOpen
      const after: Way = { from: step.id, y: y + cardHeight, isOpen: step.type !== 'exit', isDead: isDead || step.type === 'exit' }
      way = hasBranches(step) ? layBranches(step, x, after) : after
    }
    return way
  }
  const layBranches = (step: Branching, x: number, start: Way): Way => {
    const widths = { then: widthOf(step.then), else: widthOf(step.else) }
    const left = x - (widths.then + GAP.across + widths.else) / 2
    const middles = { then: left + widths.then / 2, else: left + widths.then + GAP.across + widths.else / 2 }
    const lay = (branch: Branch) => layList(step[branch], middles[branch], { ...start, branch }, { id: step.id, branch })
    const [met, otherwise] = [lay('then'), lay('else')]
    const y = Math.max(met.y, otherwise.y, start.y + EMPTY) + GAP.down
    const join = `join ${step.id}`
    lead(met, join, middles.then, { parent: { id: step.id, branch: 'then' }, index: step.then.length })
    lead(otherwise, join, middles.else, { parent: { id: step.id, branch: 'else' }, index: step.else.length })
    boxes.push({ id: join, kind: 'join', x, y })
    return { from: join, y: y + JOIN, isOpen: true, isDead: met.isDead && otherwise.isDead }
  }
  const last = layList(steps, 0, { from: 'trigger', y: cardHeight, isOpen: true, isDead: false })
  lead(last, 'end', 0, { index: steps.length })
  boxes.push({ id: 'end', kind: 'end', x: 0, y: last.y + GAP.down })
  return { boxes, lines, width: widthOf(steps), height: last.y + GAP.down + 40 }
}

function widthOf(list: readonly Step[]): number {
  const widths = list.map((step) => (hasBranches(step) ? widthOf(step.then) + GAP.across + widthOf(step.else) : CARD.width))
  return Math.max(CARD.width, ...widths)
}
