/**
 * Shared counters: in this process's memory, or in Redis when several processes share a rate. Nothing of
 * record is kept here; losing it all forgets at most one window of counting.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { backoff, type BackOff } from '@contentflow/core/backoff.ts'
import type { RedisClientType } from '@redis/client'
import { withDeadline } from './deadline.ts'
import type { Logger } from './log.ts'
import { GenerationalCache } from './cache/generational-cache.ts'

/** What is left of an allowance after `take`. `used` counts every process, `endsAt` is in milliseconds. */
export type QuotaGrant = { granted: number; used: number; endsAt: number }

export type KeyValue = {
  /** How many units a limiter takes at once: everything from memory, small packets from a store that other processes share. */
  packet: number
  /** Takes up to `want` units of a window that begins with its first taking and holds `limit` units; a negative `want` gives back. */
  take(key: string, want: number, limit: number, windowSeconds: number, now: number): QuotaGrant | Promise<QuotaGrant>
  /** Whether counters are shared with other processes just now; undefined when they are not meant to be. */
  shared(): 'up' | 'down' | undefined
  close(): Promise<void>
}

/** Counters of at most this many workspaces, people and addresses at a time; the least used one is forgotten first. */
const MEMORY_COUNTERS = 100_000

export function openMemory(): KeyValue {
  const windows = new GenerationalCache<string, { used: number; endsAt: number }>(MEMORY_COUNTERS)
  return {
    packet: Infinity,
    shared: () => undefined,
    take: (key, want, limit, windowSeconds, now) => {
      let window = windows.get(key)
      if (!window || now >= window.endsAt) {
        window = { used: 0, endsAt: now + windowSeconds * 1000 }
        windows.set(key, window)
      }
      const granted = want < 0 ? Math.max(want, -window.used) : Math.max(0, Math.min(want, limit - window.used))
      window.used += granted
      return { granted, used: window.used, endsAt: window.endsAt }
    },
    close: async () => {},
  }
}

/** The caller's clock decides, so that a moved test clock moves windows too; the key's own expiry only cleans up. */
const TAKE = `
local used, ends = unpack(redis.call('HMGET', KEYS[1], 'used', 'ends'))
local want, limit, window, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not used or now >= tonumber(ends) then
  used, ends = 0, now + window
else
  used, ends = tonumber(used), tonumber(ends)
end
local granted = want < 0 and math.max(want, -used) or math.max(0, math.min(want, limit - used))
redis.call('HSET', KEYS[1], 'used', used + granted, 'ends', ends)
redis.call('PEXPIRE', KEYS[1], window * 2)
return {granted, used + granted, tostring(ends)}
`

/** Longer than this nothing waits for Redis, which answers in less than a millisecond; a connection is given a little more. */
const ANSWER_MS = 250
const CONNECT_MS = 1_000
/** Between two looks whether Redis is back. */
const BACK_OFF: BackOff = { first: 50, most: 5_000 }
/** A start waits this long for Redis: a process that counted alone in its first moments would let a crowd through twice. */
const FIRST_CONNECTION_MS = 2_000

/**
 * Falls back to this process's own share while Redis is away: a limiter must never stop the service. The first call that
 * is not answered in time opens the circuit; then nobody asks until a connection made anew answers, one at a time.
 */
export async function openRedis(url: string, prefix: string, log: Logger): Promise<KeyValue> {
  // Loaded only where it is used: it takes 9 MB.
  const { createClient } = await import('@redis/client')
  const memory = openMemory()
  let client: RedisClientType | undefined
  const closing = new AbortController()

  const lose = (lost: RedisClientType | undefined, error: unknown) => {
    if (closing.signal.aborted || !lost || client !== lost) return
    log.warn({ err: error }, 'Redis is away; rates are counted by this process alone')
    client = undefined
    drop(lost)
    void search()
  }
  const search = async () => {
    for (let failures = 1; !closing.signal.aborted; failures++) {
      // It does not come back by itself: a connection that froze would not either.
      const next: RedisClientType = createClient({
        url,
        disableOfflineQueue: true,
        socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS },
      })
      next.on('error', (error: Error) => lose(next, error))
      try {
        await withDeadline(CONNECT_MS, next.connect())
        await withDeadline(ANSWER_MS, next.ping())
        if (closing.signal.aborted) return drop(next)
        client = next
        return
      } catch (error) {
        log.debug({ err: error }, 'Redis does not answer; trying on')
        drop(next)
      }
      await delay(backoff(BACK_OFF, failures, Math.random()), undefined, { ref: false })
    }
  }
  await withDeadline(FIRST_CONNECTION_MS, search()).catch((error: unknown) =>
    log.warn({ err: error }, 'Redis did not answer at start; trying on'),
  )

  return {
    packet: 20,
    shared: () => (client ? 'up' : 'down'),
    take: async (key, want, limit, windowSeconds, now) => {
      const asked = client
      if (!asked) return memory.take(key, want, limit, windowSeconds, now)
      try {
        const options = { keys: [`${prefix}:rate:${key}`], arguments: [want, limit, windowSeconds * 1000, now].map(String) }
        const [granted, used, endsAt] = (await withDeadline(ANSWER_MS, asked.eval(TAKE, options))) as [number, number, string]
        return { granted, used, endsAt: Number(endsAt) }
      } catch (error) {
        lose(asked, error)
        return memory.take(key, want, limit, windowSeconds, now)
      }
    },
    close: async () => {
      closing.abort()
      if (client) drop(client)
    },
  }
}

function drop(client: RedisClientType): void {
  if (client.isOpen) client.destroy()
}
