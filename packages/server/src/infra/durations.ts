/**
 * How long things took, as histograms of Prometheus. The bucket is found by arithmetic in an array that is there
 * already, so the hot path can afford it; the client's own histogram looks its labels up and makes objects each time.
 */
import { Histogram, type Registry } from '@prometheus-io/client'

/** Upper bounds of the buckets, seconds: each is twice the one before. */
const BOUNDS = Array.from({ length: 15 }, (_, power) => 0.0005 * 2 ** power)
/** The first bound fits so often into a millisecond. */
const PER_MS = 2

/** What was noted under one set of labels. */
export class Durations {
  readonly #counts = new Float64Array(BOUNDS.length + 1)
  #sumMs = 0

  note(milliseconds: number): void {
    const units = Math.max(0, Math.ceil(milliseconds * PER_MS) - 1)
    const bucket = Math.min(32 - Math.clz32(units), BOUNDS.length)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sumMs += milliseconds
  }

  /** `upTo`: how many took at most so long, for each bound; the last is all of them. */
  read(): { upTo: { bound: string; count: number }[]; count: number; sum: number } {
    let count = 0
    const upTo = [...BOUNDS, Infinity].map((bound, index) => {
      count += this.#counts[index] ?? 0
      return { bound: bound === Infinity ? '+Inf' : String(bound), count }
    })
    return { upTo, count, sum: this.#sumMs / 1000 }
  }
}

type About<Label extends string> = { name: string; help: string; labelNames: readonly Label[]; registers: Registry[] }

/** The durations of one series, by its labels; whoever notes often looks `of` up once. */
export class DurationHistogram<Label extends string> extends Histogram<Label> {
  readonly #about: About<Label>
  readonly #held = new Map<string, { labels: Record<Label, string>; durations: Durations }>()

  constructor(about: About<Label>) {
    super({ ...about, labelNames: [...about.labelNames], buckets: BOUNDS })
    this.#about = about
  }

  of(labels: Record<Label, string>): Durations {
    const name = this.#about.labelNames.map((label) => labels[label]).join('\n')
    const known = this.#held.get(name) ?? { labels, durations: new Durations() }
    this.#held.set(name, known)
    return known.durations
  }

  override async get() {
    const { name, help } = this.#about
    const values = [...this.#held.values()].flatMap(({ labels, durations }) => {
      const { upTo, count, sum } = durations.read()
      return [
        ...upTo.map((each) => ({ metricName: `${name}_bucket`, labels: { ...labels, le: each.bound }, value: each.count })),
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ]
    })
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Awaited<ReturnType<Histogram<Label>['get']>>
  }

  /** What the registry asks for the text of. */
  getForPromString() {
    return this.get()
  }
}
