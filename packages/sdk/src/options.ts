/** The settings of a client, with defaults for everything that was left out. */
import { defaultStorage } from './shell/storage.ts'
import type { EngineOptions } from './shell/engine.ts'
import type { ClientOptions, Schedule } from './types.ts'
import { VERSION } from './version.ts'

/** Only collects values; nothing is done with them before the start. */
export function engineOptions(options: ClientOptions): EngineOptions {
  for (const name of ['key', 'baseUrl'] as const) if (!options[name]) throw new TypeError(`createClient needs ${name}`)
  const isReactNative = typeof navigator === 'object' && navigator.product === 'ReactNative'
  return {
    ...options,
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    newId: options.newId ?? randomId,
    schedule: options.schedule ?? after,
    storage: options.storage ?? defaultStorage(),
    sdk: `${isReactNative ? 'react-native' : 'js'}/${VERSION}`,
    // Its own fetch answers when all has arrived, which of a stream is never: it would be held open for nothing.
    isStreamWanted: options.stream ?? (!isReactNative || !!options.fetch),
  }
}

const after: Schedule = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
}

/** A UUID of version 4: 122 random bits. `randomUUID` itself is missing on pages without TLS. */
function randomId(): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [bits = 0] = crypto.getRandomValues(new Uint8Array(1))
    // The variant digit of a UUID is one of 8, 9, a and b.
    return (Number(digit) ^ (bits & (15 >> (Number(digit) / 4)))).toString(16)
  })
}
