/** Who opened a message and followed its links, and what machines did, from all that was asked for of one message together. */
import { OPENED, TRAP, type Hit } from './hit.ts'

type Judged = {
  /** Of hits that people made: when the first was, and how many. null: none. */
  peopleAt: number | null
  times: number
  /** The same of machines. */
  machineAt: number | null
  machineTimes: number
}

/**
 * `opened`: `yes` when a person did, `unknown` when their mail program loads pictures by itself, so that nobody can know.
 * `links`: by the node of the link; without the opening.
 */
export type Responses = { opened: 'yes' | 'unknown' | 'no'; opening: Judged; links: Map<string, Judged> }

/** `sentAt`: when the provider took the message, milliseconds; null when that is not known. `links`: how many different links it has. */
type Sent = { sentAt: number | null; links: number }

/** Nobody reads a mail so soon after it was handed over. Milliseconds. */
const TOO_SOON_MS = 3_000
/** So many different links within this time are followed by a scanner; or all of a mail that has at least two. */
const BURST = { links: 3, ms: 10_000, allMs: 3_000, allFrom: 2 }
/** Openings and clicks within this time before or after a burst, or a hit of the trap, are counted as the same machine's. */
const AROUND_MS = 10_000

/**
 * The order of the hits does not matter. Hits that say themselves that they are of machines decide nothing about others: a
 * scanner beside a person takes nothing from the person, and gives nothing. The trap is the exception: nobody sees it, so
 * what is followed beside it is the scanner's too.
 */
export function judgeResponses(all: readonly Hit[], { sentAt, links }: Sent): Responses {
  const hits = all.filter(({ node }) => node !== TRAP)
  const traps = all.flatMap(({ node, at }) => (node === TRAP ? [{ from: at, to: at }] : []))
  const people = hits.filter((hit) => hit.class === 'person')
  const bursts = burstsOf(
    people.filter(({ node }) => node !== OPENED),
    links,
  )
  const isMachine = ({ class: kind, at }: Hit) =>
    kind === 'machine' ||
    (sentAt !== null && at < sentAt + TOO_SOON_MS) ||
    [...bursts, ...traps].some(({ from, to }) => at >= from - AROUND_MS && at <= to + AROUND_MS)
  const opening = newJudged()
  const byNode = new Map<string, Judged>()
  for (const hit of hits) {
    if (hit.class === 'automatic' || hit.class === 'refused') continue
    const judged = hit.node === OPENED ? opening : (byNode.get(hit.node) ?? newJudged())
    if (hit.node !== OPENED) byNode.set(hit.node, judged)
    note(judged, hit.at, isMachine(hit))
  }
  const clicks = [...byNode.values()].flatMap(({ peopleAt }) => (peopleAt === null ? [] : [peopleAt]))
  // Whoever follows a link has opened the message, also where pictures are off.
  if (clicks.length > 0) opening.peopleAt = Math.min(opening.peopleAt ?? Infinity, ...clicks)
  const isUnknown = hits.some((hit) => hit.class === 'automatic')
  return { opened: opening.peopleAt !== null ? 'yes' : isUnknown ? 'unknown' : 'no', opening, links: byNode }
}

function newJudged(): Judged {
  return { peopleAt: null, times: 0, machineAt: null, machineTimes: 0 }
}

function note(judged: Judged, at: number, isMachine: boolean): void {
  if (isMachine) {
    judged.machineAt = Math.min(judged.machineAt ?? Infinity, at)
    judged.machineTimes++
  } else {
    judged.peopleAt = Math.min(judged.peopleAt ?? Infinity, at)
    judged.times++
  }
}

type Burst = { from: number; to: number }

/** The stretches of time in which so many different links were followed that no person did it. */
function burstsOf(clicks: readonly Hit[], links: number): Burst[] {
  const byTime = clicks.toSorted((one, other) => one.at - other.at)
  const bursts: Burst[] = []
  for (const [index, { at: from }] of byTime.entries()) {
    const within = (ms: number) => byTime.slice(index).filter(({ at }) => at <= from + ms)
    const different = (some: readonly Hit[]) => new Set(some.map(({ node }) => node)).size
    const [near, nearest] = [within(BURST.ms), within(BURST.allMs)]
    const isAll = links >= BURST.allFrom && different(nearest) >= links
    const burst = different(near) >= BURST.links ? near : isAll ? nearest : []
    const last = burst.at(-1)
    if (last) bursts.push({ from, to: last.at })
  }
  return bursts
}
