import { spread } from '@contentflow/core/backoff.ts'
import type { ServerResponse } from 'node:http'
import { isRoomFor } from '@contentflow/core/room.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { mostConnections, TIMES_FREE_OF_ADDRESS } from '../../../http/node-server.ts'

/** Connections kept free for requests that are no streams: a share of them, and at most so many. */
const RESERVE = { share: 0.25, most: 2_000 }
/** A stream takes some 20 kB; beyond this number another process should share the load. */
const MOST_BY_DEFAULT = 50_000
/** One key may hold at most so many times the streams that are free: nine tenths, where there is no other. */
const TIMES_FREE_OF_KEY = 9
/** A refused client comes back after about so long, each at another moment. */
const RETRY_SECONDS = 5

type Holder = { key: string; address: string }
type Full = 'process' | 'key' | 'address'

/** Counts open streams by key and by address, and decides whether one more may open, so that the process keeps room for everything else. */
export class StreamRoom {
  readonly #metrics: Context['metrics']
  readonly #wished: number
  readonly #mostOfAddress: number
  readonly #byKey = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()
  #all = 0

  constructor({ config, metrics }: Pick<Context, 'config' | 'metrics'>) {
    this.#metrics = metrics
    this.#wished = config.streamsPerProcess
    this.#mostOfAddress = config.connectionsPerAddress
    metrics.streamsMax.set(mostStreams(this.#wished))
  }

  /** Counts a stream until its response is closed; throws 503 where there is no room. */
  enter(response: ServerResponse, holder: Holder): void {
    const full = this.#fullFor(holder)
    if (full) {
      this.#metrics.streamRefused.labels(full).inc()
      // An idle connection would take a place too.
      response.shouldKeepAlive = false
      const retryAfter = Math.floor(spread(RETRY_SECONDS, 3, Math.random()))
      fail('UPSTREAM_UNAVAILABLE', { retryAfter, message: 'Too many streams are open; read /sync now and then until there is room' })
    }
    // Its `close` event is over and would not come again.
    if (response.destroyed) return
    this.#count(holder, 1)
    response.once('close', () => this.#count(holder, -1))
  }

  #fullFor({ key, address }: Holder): Full | undefined {
    const [all, most] = [this.#all, mostStreams(this.#wished)]
    this.#metrics.streamsMax.set(most)
    if (all >= most) return 'process'
    const ofAddress = this.#byAddress.get(address) ?? 0
    const hasAddressRoom =
      this.#mostOfAddress > 0 ? ofAddress < this.#mostOfAddress : isRoomFor({ own: ofAddress, all, most }, TIMES_FREE_OF_ADDRESS)
    if (!hasAddressRoom) return 'address'
    return isRoomFor({ own: this.#byKey.get(key) ?? 0, all, most }, TIMES_FREE_OF_KEY) ? undefined : 'key'
  }

  #count({ key, address }: Holder, change: 1 | -1): void {
    this.#all += change
    add(this.#byKey, key, change)
    add(this.#byAddress, address, change)
  }
}

/** `wished`: 0 for as many as there is room for. */
function mostStreams(wished: number): number {
  const connections = mostConnections() ?? Infinity
  const room = connections - Math.min(RESERVE.most, connections * RESERVE.share)
  return Math.floor(Math.min(wished || MOST_BY_DEFAULT, room))
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const now = (counts.get(name) ?? 0) + change
  if (now > 0) counts.set(name, now)
  else counts.delete(name)
}
