/** Files in a bucket of S3, or of any store that speaks it. Browsers send and read them there; every request is a signed address. */
import { cutText } from '@contentflow/core/cut-text.ts'
import { createWriteStream, openAsBlob } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { S3Config } from '../../config.ts'
import type { Clock } from '../../infra/clock.ts'
import { ttlCache } from '../../infra/cache/ttl-cache.ts'
import { presign } from './presign.ts'
import type { Store } from './store.ts'

/** How long an answer about one object may take; a whole file may take longer. */
const ANSWER_MS = 5_000
const TRANSFER_MS = 300_000
const OWN_SECONDS = 600
/** How long an object that was found is assumed to exist. */
const KNOWN_MS = 60_000

export function openS3Store(s3: S3Config, clock: Clock): Store {
  const address = (
    method: string,
    name: string,
    seconds: number,
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => presign(s3, { method, key: name, seconds, query, headers, now: clock.now() })
  const own = async (method: string, name: string, init: RequestInit = {}, ms = ANSWER_MS) => {
    const response = await fetch(address(method, name, OWN_SECONDS), { ...init, method, signal: AbortSignal.timeout(ms) })
    if (response.ok || response.status === 404) return response
    throw new Error(`the bucket answered ${response.status} to ${method}: ${cutText(await response.text(), 500)}`)
  }
  const remember = ttlCache<boolean>(clock, { keptMs: KNOWN_MS, held: 10_000, isWorthIt: (isThere) => isThere })
  return {
    sign: async (grant) => {
      const seconds = Math.max(1, Math.ceil((grant.expiresAt.getTime() - clock.ms()) / 1000))
      if (grant.method === 'PUT') return address('PUT', grant.name, seconds, {}, { 'content-type': grant.type })
      if (!(await remember(grant.name, async () => (await own('HEAD', grant.name)).ok))) return undefined
      const query = { 'response-content-type': grant.type, 'response-content-disposition': grant.disposition }
      return address('GET', grant.name, seconds, query)
    },
    fetch: async (name, file, mostBytes) => {
      const response = await own('GET', name, {}, TRANSFER_MS)
      if (!response.ok || !response.body) {
        await response.body?.cancel()
        return undefined
      }
      let size = 0
      await pipeline(
        response.body as unknown as AsyncIterable<Uint8Array>,
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            size += chunk.length
            if (size > mostBytes) return
            yield chunk
          }
        },
        createWriteStream(file),
      )
      return size
    },
    put: async (name, file, type) => {
      const body = await openAsBlob(file, { type })
      const response = await own('PUT', name, { body, headers: { 'content-type': type } }, TRANSFER_MS)
      if (!response.ok) throw new Error(`the bucket answered ${response.status} to PUT`)
    },
    remove: async (names) => {
      for (const name of names) await own('DELETE', name)
    },
  }
}
