/** What sending shares in one process: how fast each channel of a workspace takes messages, and the room of all of them together. */
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import { firstPace, isQuick, nextPace, shareOf, type Pace } from '@contentflow/core/channels/pace.ts'
import type { Context } from '../../../context.ts'
import { BATCH_SIZES } from '../../../infra/due/batch-size.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { Semaphore } from '../../../infra/concurrency/fair-limiter.ts'
import { MAILS_AT_ONCE, type ChannelRow, type Channels, type Senders } from '../../channels/index.ts'

/** Calls of interfaces under way at once, of one channel of a workspace. */
const CALLS_AT_ONCE = 32
/** Limits of the whole process: calls under way, and messages that are claimed and not yet sent. */
const [ALL_CALLS, ALL_TAKEN] = [1_000, 8_000]
/** Statements of all workspaces that send: one is sent while the next batch is taken and the one before written down. */
const STATEMENTS = { postgres: 3, embedded: 1 }
/** Connections that nobody sends over are closed after this time, milliseconds. */
const KEPT_MS = 2_000
/** Channels of which it is known how fast they are. */
const KNOWN = 10_000

export type Dispatcher = {
  ctx: Context
  channels: Channels
  /** Nobody's statements wait for anybody's calls: what asks the database takes a place, and gives it back before it calls. */
  statements: Semaphore
  lanes: Lanes
  senders: KeptSenders
}

export function openDispatcher(ctx: Context, channels: Channels): Dispatcher {
  return {
    ctx,
    channels,
    statements: new Semaphore(STATEMENTS[ctx.engine]),
    lanes: new Lanes(BATCH_SIZES.claimedSends[ctx.engine]),
    senders: new KeptSenders(() => channels.openSenders()),
  }
}

type Kept = { senders: Senders; users: number; closing?: NodeJS.Timeout }

/**
 * Connections outlast the turn that opened them: a server of mail is greeted once for many turns, and whatever one
 * workspace sends by mail goes over the few that one may have.
 */
class KeptSenders {
  readonly #open: () => Senders
  readonly #kept = new Map<string, Kept>()
  constructor(open: () => Senders) {
    this.#open = open
  }

  /** Runs `work` with senders for these channels, as they are configured now. */
  async use<T>(channels: readonly ChannelRow[], work: (senders: Senders) => Promise<T>): Promise<T> {
    const key = channels.map(({ workspace_id, id, updated_at }) => `${workspace_id} ${id} ${updated_at.getTime()}`).join()
    const kept = this.#kept.get(key) ?? { senders: this.#open(), users: 0 }
    this.#kept.set(key, kept)
    clearTimeout(kept.closing)
    kept.users++
    try {
      return await work(kept.senders)
    } finally {
      if (--kept.users === 0) kept.closing = setTimeout(() => this.#close(key), KEPT_MS).unref()
    }
  }

  #close(key: string): void {
    const kept = this.#kept.get(key)
    clearTimeout(kept?.closing)
    kept?.senders.close()
    this.#kept.delete(key)
  }

  /** Stops sending for good. */
  close(): void {
    for (const key of this.#kept.keys()) this.#close(key)
  }
}

type Of = { workspaceId: string; type: ChannelType; channels: readonly ChannelRow[] }
type Known = { pace: Pace; isQuick: boolean }

/** One for each channel of a workspace. */
class Lanes {
  readonly #known = new GenerationalCache<string, Known>(KNOWN)
  readonly #most: number
  #calling = 0
  #taken = 0
  constructor(batch: number) {
    this.#most = batch
  }

  open({ workspaceId, type, channels }: Of): Lane {
    const key = `${workspaceId} ${type}`
    // Servers of mail take fewer conversations than interfaces take calls.
    const most = { atOnce: channels[0]?.provider === 'smtp' ? MAILS_AT_ONCE : CALLS_AT_ONCE, batch: this.#most }
    const known = (): Known => this.#known.get(key) ?? { pace: firstPace(most), isQuick: false }
    let calling = 0
    // The provider may be another by now.
    const atOnce = () => shareOf(Math.min(known().pace.atOnce, most.atOnce), ALL_CALLS - (this.#calling - calling))
    let ended = { calls: 0, ms: 0 }
    const end = (ms: number) => {
      ended = { calls: ended.calls + 1, ms: ended.ms + ms }
      // As many as are under way at once say how fast the channel is, or the last of fewer.
      if (ended.calls < atOnce() && calling > 0) return
      const callMs = ended.ms / ended.calls
      this.#known.set(key, { pace: nextPace({ ...known().pace, atOnce: atOnce() }, most, callMs), isQuick: isQuick(callMs) })
      ended = { calls: 0, ms: 0 }
    }
    return {
      batch: () => shareOf(known().pace.batch, ALL_TAKEN - this.#taken),
      isQuick: () => known().isQuick,
      atOnce,
      skip: () => {
        const { pace, isQuick: wasQuick } = known()
        this.#known.set(key, { pace: { ...pace, batch: Math.min(pace.batch * 2, most.batch) }, isQuick: wasQuick })
      },
      claim: (count) => void (this.#taken += count),
      giveBack: () => void this.#taken--,
      call: async (work) => {
        this.#calling++
        calling++
        const began = performance.now()
        try {
          return await work()
        } finally {
          this.#calling--
          this.#taken--
          calling--
          end(performance.now() - began)
        }
      },
    }
  }
}

export type Lane = {
  /** Messages that may be taken now. */
  batch(): number
  /** Whether the next may be taken while those before are sent. */
  isQuick(): boolean
  /** Calls that may be under way now. */
  atOnce(): number
  /** None of the claimed messages is sent, so the next batch may begin at once. */
  skip(): void
  /** So many messages are claimed. */
  claim(count: number): void
  /** One of them is given back without a call. */
  giveBack(): void
  /** Makes the call for one of them. */
  call<T>(work: () => Promise<T>): Promise<T>
}
