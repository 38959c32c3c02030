/** What a verdict adds to the sums of a message, and which of it is new. */
import { OPENED } from './hit.ts'
import type { Responses } from './judge-responses.ts'

/** Stands among the nodes for any link of the message, so that whoever followed two is counted once. */
export const ANY_LINK = '*'

/** Of one person: `people`, `machines` and `unknown` are 0 or 1. `unknown`: of the opening alone. */
export type NodeCount = { node: string; people: number; times: number; unknown: number; machines: number; machineTimes: number }
/** By node: `OPENED`, `ANY_LINK`, and each link that was followed. */
export type Counted = readonly NodeCount[]

export function countResponses({ opened, opening, links }: Responses): Counted {
  const one = (
    node: string,
    of: { peopleAt: number | null; times: number; machineAt: number | null; machineTimes: number },
  ): NodeCount => ({
    node,
    people: of.peopleAt === null ? 0 : 1,
    times: of.times,
    unknown: 0,
    machines: of.machineAt === null ? 0 : 1,
    machineTimes: of.machineTimes,
  })
  const followed = [...links].map(([node, judged]) => one(node, judged))
  const counts = [{ ...one(OPENED, opening), unknown: opened === 'unknown' ? 1 : 0 }, ...followed]
  if (followed.length > 0) counts.push(anyOf(followed))
  return counts
}

function anyOf(followed: readonly NodeCount[]): NodeCount {
  const sum = (member: 'times' | 'machineTimes') => followed.reduce((total, count) => total + count[member], 0)
  const most = (member: 'people' | 'machines') => Math.max(...followed.map((count) => count[member]))
  return {
    node: ANY_LINK,
    people: most('people'),
    times: sum('times'),
    unknown: 0,
    machines: most('machines'),
    machineTimes: sum('machineTimes'),
  }
}

/** What sums change by, without what stays. A later hit may turn a verdict, so a change may be negative. */
export function changesOf(before: Counted, after: Counted): NodeCount[] {
  const nodes = [...new Set([...before, ...after].map(({ node }) => node))]
  const find = (counts: Counted, node: string) => counts.find((count) => count.node === node) ?? NOTHING
  return nodes.flatMap((node) => {
    const [was, is] = [find(before, node), find(after, node)]
    const change = {
      node,
      people: is.people - was.people,
      times: is.times - was.times,
      unknown: is.unknown - was.unknown,
      machines: is.machines - was.machines,
      machineTimes: is.machineTimes - was.machineTimes,
    }
    return Object.values(change).some((value) => typeof value === 'number' && value !== 0) ? [change] : []
  })
}

const NOTHING: NodeCount = { node: '', people: 0, times: 0, unknown: 0, machines: 0, machineTimes: 0 }

/** What a person is known to have done now and was not before: events of it are told once. */
export function newlyDone(before: Counted, after: Counted): string[] {
  const wasDone = new Set(before.flatMap(({ node, people }) => (people > 0 ? [node] : [])))
  return after.flatMap(({ node, people }) => (people > 0 && node !== ANY_LINK && !wasDone.has(node) ? [node] : []))
}
