import type { ProofEnvironment, ProofOutcome, ProofPart } from '@contentflow/core/identity-proof/modes.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import type { NoteProof } from '../../../http/callers/caller.ts'
import { addCounts, type HourCount } from './queries-counts.ts'

/** `UNKNOWN`: an app that does not say what it is. `OTHER`: all apps beyond the number that is counted apart. */
const UNKNOWN = { platform: 'unknown', sdkVersion: 'unknown' }
const OTHER = { platform: 'other', sdkVersion: 'other' }

type Client = { platform: string; sdkVersion: string }
/** `calls`: by part and outcome. */
type Tally = { client: Client; calls: Map<string, { part: ProofPart; outcome: ProofOutcome; count: number }> }
/** Of one environment of a workspace. `byHeader`: the same tallies, found without taking the header apart. */
type Counting = {
  workspaceId: string
  environment: ProofEnvironment
  byName: Map<string, Tally>
  byHeader: Map<string, Tally>
}

/**
 * HOT PATH. Counts in memory how many calls proved for whom they speak, and stores the counts every minute. Noting a call takes a few
 * look-ups. How many clients an environment counts apart is bounded, because clients choose their own names.
 */
export class ProofCounts {
  readonly #ctx: Pick<Context, 'db' | 'clock'>
  #hour = 0
  #counting = new Map<string, Counting>()
  /** Counts of hours that are over, and counts that could not be stored yet. */
  #waiting: { workspaceId: string; counts: HourCount[] }[] = []

  constructor(ctx: Pick<Context, 'db' | 'clock'>) {
    this.#ctx = ctx
  }

  readonly note: NoteProof = ({ workspaceId, environment }, part, outcome, sdkHeader) => {
    const hour = Math.floor(this.#ctx.clock.ms() / HOUR_MS) * HOUR_MS
    if (hour !== this.#hour) this.#begin(hour)
    const name = `${workspaceId}|${environment}`
    let counting = this.#counting.get(name)
    if (!counting) this.#counting.set(name, (counting = { workspaceId, environment, byName: new Map(), byHeader: new Map() }))
    const header = typeof sdkHeader === 'string' ? sdkHeader : ''
    const { calls } = counting.byHeader.get(header) ?? tallyOf(counting, header)
    const what = `${part} ${outcome}`
    const known = calls.get(what)
    if (known) known.count++
    else calls.set(what, { part, outcome, count: 1 })
  }

  /** Counts that cannot be stored now are stored the next time. */
  async save(): Promise<void> {
    this.#begin(this.#hour)
    const saving = this.#waiting
    this.#waiting = []
    for (const [index, { workspaceId, counts }] of saving.entries()) {
      try {
        await addCounts(this.#ctx.db, workspaceId, counts)
      } catch (error) {
        this.#waiting = [...saving.slice(index), ...this.#waiting].slice(-LIMITS.identityCountsWaiting)
        throw error
      }
    }
  }

  /** Begins an hour: what was counted so far belongs to the hour before it. */
  #begin(hour: number): void {
    const at = new Date(this.#hour)
    for (const { workspaceId, environment, byName } of this.#counting.values()) {
      const counts = [...byName.values()].flatMap(({ client, calls }) =>
        [...calls.values()].map(({ part, outcome, count }) => ({ environment, hour: at, part, outcome, ...client, calls: count })),
      )
      this.#waiting.push({ workspaceId, counts })
    }
    this.#counting = new Map()
    this.#hour = hour
  }
}

function tallyOf({ byName, byHeader }: Counting, header: string): Tally {
  const own = clientOf(header)
  const client = byName.has(nameOf(own)) || byName.size < LIMITS.identityClientsCounted ? own : OTHER
  let tally = byName.get(nameOf(client))
  if (!tally) byName.set(nameOf(client), (tally = { client, calls: new Map() }))
  if (byHeader.size < LIMITS.identityClientsCounted) byHeader.set(header, tally)
  return tally
}

function nameOf({ platform, sdkVersion }: Client): string {
  return `${platform}/${sdkVersion}`
}

/** Reads the client from `X-CF-SDK-Version: <platform>/<version>`. */
function clientOf(header: string): Client {
  const [, platform, sdkVersion] = /^([a-z-]{1,20})\/([\w.+-]{1,40})$/.exec(header) ?? []
  return platform === undefined || sdkVersion === undefined ? UNKNOWN : { platform, sdkVersion }
}
