/**
 * Shared counters: in this process's memory, or in Redis when several processes share a rate. Nothing of
 * record is kept here; losing it all forgets at most one window of counting.
 */
import { createClient } from '@redis/client'
import type { Logger } from './log.ts'
import { RecentMap } from './recent-map.ts'

/** What is left of an allowance after `take`. `used` counts every process, `endsAt` is in milliseconds. */
export type Taken = { granted: number; used: number; endsAt: number }

export type KeyValue = {
  /** How many units a limiter takes at once: everything from memory, small packets from a store that other processes share. */
  packet: number
  /** Takes up to `want` units of a window that begins with its first taking and holds `limit` units. */
  take(key: string, want: number, limit: number, windowSeconds: number, now: number): Taken | Promise<Taken>
  close(): Promise<void>
}

/** Counters of at most this many workspaces, people and addresses at a time; the least used one is forgotten first. */
const MEMORY_COUNTERS = 100_000

export function openMemory(): KeyValue {
  const windows = new RecentMap<string, { used: number; endsAt: number }>(MEMORY_COUNTERS)
  return {
    packet: Infinity,
    take: (key, want, limit, windowSeconds, now) => {
      let window = windows.get(key)
      if (!window || now >= window.endsAt) {
        window = { used: 0, endsAt: now + windowSeconds * 1000 }
        windows.set(key, window)
      }
      const granted = Math.max(0, Math.min(want, limit - window.used))
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
local granted = math.max(0, math.min(want, limit - used))
redis.call('HSET', KEYS[1], 'used', used + granted, 'ends', ends)
redis.call('PEXPIRE', KEYS[1], window * 2)
return {granted, used + granted, tostring(ends)}
`

/** A start waits this long for Redis: a process that counted alone in its first moments would let a crowd through twice. */
const FIRST_CONNECTION_MS = 2_000

/** Falls back to this process's own share while Redis is away: a limiter must never stop the service. */
export async function openRedis(url: string, prefix: string, log: Logger): Promise<KeyValue> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: 250 },
    socket: { reconnectStrategy: (attempt: number) => Math.min(5_000, 50 * 2 ** attempt) },
  })
  const memory = openMemory()
  let wasDown = false
  client.on('error', (error: Error) => {
    if (!wasDown) log.warn({ err: error }, 'Redis is away; rates are counted by this process alone')
    wasDown = true
  })
  client.on('ready', () => {
    wasDown = false
  })
  const connecting = client.connect().catch((error: unknown) => log.warn({ err: error }, 'Redis did not answer at start; trying on'))
  let patience: NodeJS.Timeout | undefined
  const waiting = new Promise<void>((resolve) => {
    patience = setTimeout(resolve, FIRST_CONNECTION_MS)
  })
  await Promise.race([connecting, waiting])
  clearTimeout(patience)
  return {
    packet: 20,
    take: async (key, want, limit, windowSeconds, now) => {
      try {
        const arguments_ = [want, limit, windowSeconds * 1000, now].map(String)
        const [granted, used, endsAt] = (await client.eval(TAKE, { keys: [`${prefix}:rate:${key}`], arguments: arguments_ })) as [
          number,
          number,
          string,
        ]
        return { granted, used, endsAt: Number(endsAt) }
      } catch (error) {
        log.debug({ err: error }, 'rate taken from the local share')
        return memory.take(key, want, limit, windowSeconds, now)
      }
    },
    close: async () => client.destroy(),
  }
}
