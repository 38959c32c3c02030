/**
 * One stream for all tabs of an origin. Browsers open six connections to a server that speaks HTTP/1.1, so a stream in
 * each of six tabs would leave none for anything else. The tab that holds the lock listens, and tells the others; when it
 * goes, the next one takes over. Loaded when the first stream is wanted.
 *
 *   following ──the lock is free──▶ listening ──the stream ends──▶ answered
 *       ╰───────────────aborted────────────────────────────────────────╯
 */
import type { Answer, Call } from '../machine/answer.ts'
import { listen, type Heard } from './event-stream.ts'
import { lease } from './lease.ts'
import type { Wire } from './transport.ts'

/** Messages between tabs: signals that arrived; `ask` looks for a tab that listens. */
type Told = Heard | 'ask'
/** Runs `work` while nothing else on this origin runs under this name. Rejects when the signal comes first. */
type Locked = (name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>) => Promise<Answer>

/** Listens until the stream ends, in this tab or through another one. Never throws. */
export async function live(wire: Wire, asked: Call, signal: AbortSignal, heard: (said: Heard) => void): Promise<Answer> {
  // Named, so that it is told of the person's inbox as well.
  const call = { ...asked, deviceId: wire.sender.deviceId }
  const locked = lockOf(wire)
  if (!locked) return listen(wire, call, signal, heard)
  const name = `contentflow:1:${wire.baseUrl}:${wire.key}:stream`
  const channel = new BroadcastChannel(name)
  let { lastEventId } = call
  let isFollowing = false
  let isOpen = false
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data === 'ask')
      return isOpen && channel.postMessage({ signals: 0, ...(lastEventId !== undefined && { lastEventId }) } satisfies Told)
    lastEventId = data.lastEventId ?? lastEventId
    // This tab does not know the signals from before it followed.
    const signals = isFollowing ? data.signals : 1
    isFollowing = true
    return heard({ ...data, signals })
  })
  channel.postMessage('ask' satisfies Told)
  const work = (ending: AbortSignal) =>
    listen(wire, { ...call, lastEventId }, ending, (said) => {
      // Between two streams signals may have been missed, by every tab that followed the one before.
      const isAfterOther = !isOpen
      lastEventId = said.lastEventId ?? lastEventId
      isOpen = true
      heard(isAfterOther && isFollowing ? { ...said, signals: 1 } : said)
      channel.postMessage((isAfterOther ? { ...said, signals: 1 } : said) satisfies Told)
    })
  try {
    return await locked(name, signal, work)
  } catch (error) {
    return { status: 0, reason: String(error) }
  } finally {
    channel.close()
  }
}

/** undefined: there are no other tabs, or no way to agree with them. */
function lockOf(wire: Wire): Locked | undefined {
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return undefined
  const { locks } = navigator as Partial<Navigator>
  if (locks) return (name, signal, work) => locks.request(name, { signal }, () => work(signal))
  return lease(wire)
}
