/** Takes in the bytes of a body, within the bound of its route and within what the process may hold of all that arrive at once. */
import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../callers/caller.ts'

/** How many bytes of a refused body are read and thrown away before the connection is cut. */
const DISCARD_BYTES = 64_000_000
/** Bodies up to this size are not counted, and are parsed in one go: it takes a millisecond or two. */
export const SMALL_BYTES = 32_768
/** How many bytes of larger bodies the process holds until they are parsed, for all callers and for one; parsing takes several times as much. */
const HELD_BYTES = 64_000_000
const HELD_BYTES_OF_ONE = 24_000_000

type HeldBytes = {
  /** False when there is no room for so many more bytes. */
  take(owner: string, bytes: number): boolean
  release(owner: string, bytes: number): void
}

export function openHeldBytes(): HeldBytes {
  const held = new Map<string, number>()
  let all = 0
  return {
    take: (owner, bytes) => {
      if (bytes === 0) return true
      const own = (held.get(owner) ?? 0) + bytes
      if (all + bytes > HELD_BYTES || own > HELD_BYTES_OF_ONE) return false
      all += bytes
      held.set(owner, own)
      return true
    },
    release: (owner, bytes) => {
      if (bytes === 0) return
      const own = (held.get(owner) ?? 0) - bytes
      all -= bytes
      if (own > 0) held.set(owner, own)
      else held.delete(owner)
    },
  }
}

/**
 * The caller of this function releases the bytes when they are parsed. A body that is refused is answered at once; what the
 * client still sends is read and thrown away up to a limit, so that it can read the answer instead of meeting a reset
 * connection.
 */
export function receiveBody(request: FastifyRequest, payload: IncomingMessage, held: HeldBytes): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit ?? LIMITS.smallBodyBytes
  const owner = ownerOf(request.caller)
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    let counted = 0
    let isSettled = false
    const refuse = (error: Error) => {
      if (isSettled) return
      isSettled = true
      chunks = []
      held.release(owner, counted)
      reject(error)
    }
    if (Number(request.headers['content-length'] ?? 0) > limit) refuse(tooLarge(limit))
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > DISCARD_BYTES) request.raw.socket.destroy()
      if (isSettled) return
      if (size > limit) return refuse(tooLarge(limit))
      const uncounted = size > SMALL_BYTES ? size - counted : 0
      if (!held.take(owner, uncounted))
        return refuse(new ApiError(503, 'Too many large bodies arrive at once, please try again', undefined, 2))
      counted += uncounted
      chunks.push(chunk)
    })
    payload.on('error', refuse)
    payload.on('end', () => {
      if (isSettled && request.headers.connection === 'close') request.raw.socket.end()
      if (isSettled) return
      isSettled = true
      resolve(Buffer.concat(chunks))
    })
    payload.on('close', () => refuse(new ApiError(400, 'The request cannot be read')))
  })
}

/**
 * Gives `then` a small body that came together with its head, as nearly all do; otherwise undefined, and the body stays as if
 * unread. A caller that does not answer it puts it back. False: the body is large, compressed or absent.
 */
export function whenTogether(request: IncomingMessage, then: (body: Buffer | undefined) => void): boolean {
  const { headers } = request
  const length = Number(headers['content-length'])
  const isPlain = length > 0 && length <= SMALL_BYTES && headers['content-type'] !== undefined && headers['content-encoding'] === undefined
  if (!isPlain) return false
  // The parser is done with the packet by then. Listening for `readable` instead makes a whole POST /campaigns take a tenth longer.
  process.nextTick(() => {
    const chunk = request.read() as Buffer | null
    if (chunk && chunk.length < length) request.unshift(chunk)
    then(chunk?.length === length ? chunk : undefined)
  })
  return true
}

/** In whose name a large body is counted. */
export function ownerOf(caller: Caller): string {
  if ('workspaceId' in caller) return caller.workspaceId
  return 'accountId' in caller ? caller.accountId : caller.kind
}

function tooLarge(limit: number): ApiError {
  return new ApiError(413, `The body is larger than ${limit} bytes`)
}
