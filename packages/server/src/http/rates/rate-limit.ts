/**
 * The two request rates of the client routes (G-14): fixed windows of 60 s, per workspace (refusing) and per
 * caller address (only counted unless enforcement is on). Units are taken from the shared store in packets,
 * so a store on another machine costs one round trip a packet, and never more are served than the limit.
 */
import type { IncomingMessage } from 'node:http'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { QuotaGrant } from '../../infra/kv.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import { callerOf } from '../callers/caller-address.ts'

/** `remaining` is what `X-RateLimit-Remaining` says; null when the workspace has no rate. */
export type Rate = { limit: number; remaining: number } | null

type Share = { left: number; used: number; endsAt: number; isSpent: boolean }
const SHARES_HELD = 50_000

type RateContext = Pick<Context, 'kv' | 'clock' | 'config' | 'metrics'>

export class RateLimiter {
  readonly #ctx: RateContext
  readonly #shares = new GenerationalCache<string, Share>(SHARES_HELD)
  readonly #fillings = new Map<string, Promise<void>>()
  /** The share that a caller or connection used last, found without a look-up by name. */
  readonly #recent = new WeakMap<object, Share>()
  constructor(ctx: RateContext) {
    this.#ctx = ctx
  }

  /**
   * Spends one request of both rates when both shares are known here and not used up; false spends nothing, and the framework
   * decides. The workspace's `remaining` is written to `rate`.
   */
  spendAtOnce(
    caller: { requestsPerMinute: number | null },
    request: IncomingMessage,
    rate: { limit: number; remaining: number },
    now: number,
  ): boolean {
    // Behind a proxy many callers share a connection, so only the address named by it tells them apart.
    const isDirect = this.#ctx.config.trustedProxies === 0
    const address = isDirect ? this.#recent.get(request.socket) : this.#shares.get(this.#addressName(request))
    if (!address || now >= address.endsAt) return false
    const isCountedOnly = address.isSpent && !this.#ctx.config.isIpLimitEnforced
    if (address.left === 0 && !isCountedOnly) return false
    if (caller.requestsPerMinute !== null) {
      const share = this.#recent.get(caller)
      if (!share || share.left === 0 || now >= share.endsAt) return false
      share.left--
      rate.limit = caller.requestsPerMinute
      rate.remaining = Math.max(0, rate.limit - (share.used - share.left))
    }
    if (isCountedOnly) this.#ctx.metrics.addressOverRate.count++
    else address.left--
    return true
  }

  /** Spends one request of the workspace; false refuses it. */
  spendWorkspace(caller: { workspaceId: string; requestsPerMinute: number }): Rate | false | Promise<Rate | false> {
    const limit = caller.requestsPerMinute
    // The limit is part of the name: a changed one begins a window of its own.
    const spent = this.#spend(`workspace:${caller.workspaceId}:${limit}`, limit + LIMITS.workspaceBurst)
    const answer = (share: Share | false): Rate | false => {
      if (share) this.#recent.set(caller, share)
      return share && { limit, remaining: Math.max(0, limit - (share.used - share.left)) }
    }
    return spent instanceof Promise ? spent.then(answer) : answer(spent)
  }

  /** Spends one request of the caller's address; the answer is when the window ends (milliseconds) if it is over its rate. */
  spendAddress(request: IncomingMessage): number | undefined | Promise<number | undefined> {
    const name = this.#addressName(request)
    const spent = this.#spend(name, LIMITS.addressRequestsPerMinute + LIMITS.addressBurst)
    const answer = (share: Share | false) => {
      const kept = this.#shares.get(name)
      if (kept) this.#recent.set(request.socket, kept)
      return share ? undefined : kept?.endsAt
    }
    return spent instanceof Promise ? spent.then(answer) : answer(spent)
  }

  #addressName(request: IncomingMessage): string {
    return `address:${callerOf(request, this.#ctx.config.trustedProxies)}`
  }

  #spend(name: string, limit: number): Share | false | Promise<Share | false> {
    const now = this.#ctx.clock.ms()
    const share = this.#shares.get(name)
    if (share && now < share.endsAt) {
      if (share.left > 0) {
        share.left--
        return share
      }
      if (share.isSpent) return false
    }
    const filling = this.#fill(name, limit, now)
    return filling ? filling.then(() => this.#spend(name, limit)) : this.#spend(name, limit)
  }

  /** Gets the next packet, one at a time for each name: a crowd that asked at once would hoard what other processes need. */
  #fill(name: string, limit: number, now: number): Promise<void> | undefined {
    const running = this.#fillings.get(name)
    if (running) return running
    const taken = this.#ctx.kv.take(name, this.#ctx.kv.packet, limit, LIMITS.rateWindowSeconds, now)
    if (!(taken instanceof Promise)) {
      this.#keep(name, taken)
      return undefined
    }
    const filling = taken.then((done) => this.#keep(name, done)).finally(() => this.#fillings.delete(name))
    this.#fillings.set(name, filling)
    return filling
  }

  #keep(name: string, taken: QuotaGrant): void {
    const current = this.#shares.get(name)
    const share = current && current.endsAt === taken.endsAt ? current : { left: 0, used: 0, endsAt: taken.endsAt, isSpent: false }
    this.#shares.set(name, share)
    share.used = Math.max(share.used, taken.used)
    share.left += taken.granted
    share.isSpent = share.left === 0
  }
}
