/** Bytes on their way between a folder and whoever has a signed address; no file is ever in memory whole. */
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { send } from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError, failWith } from '../../errors.ts'
import { pathIn, type SignedQuery } from './folder-store.ts'

/** Runs nothing, loads nothing, and is no page of ours even if somebody opens it as one. */
const CAGE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** Anybody's page may show a file. */
export const ANYBODY = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
/** Bytes under one address never change; the address ends by itself. */
const KEPT = 'private, max-age=3600, immutable'
/** Nothing arrives for so long: the upload is given up. */
const SILENCE_MS = 30_000
/** Of a file that is too large so much is swallowed, so that whoever sends it gets to read why. */
const DISCARD_BYTES = 2 * LIMITS.mediaBytes

/** The bytes that a signed address is for, whole or in part. */
export async function sendFile(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  id: string,
  { object = '', type = '', as = '' }: SignedQuery,
) {
  const { statusCode, headers, stream } = await send(raw, pathIn('/', `${id}/${object}`), {
    root: resolve(folder),
    contentType: false,
    cacheControl: false,
    dotfiles: 'deny',
  })
  if (statusCode === 404) failWith(404, 'file not found')
  return reply
    .code(statusCode)
    .headers({
      ...headers,
      ...ANYBODY,
      ...(statusCode < 300 && { 'content-type': type, 'content-disposition': as }),
      'cache-control': KEPT,
      'content-security-policy': CAGE,
    })
    .send(stream)
}

/** To the disk as it comes, and no further than allowed. */
export async function receiveFile({ raw }: FastifyRequest, path: string): Promise<number> {
  if (Number(raw.headers['content-length'] ?? 0) > LIMITS.mediaBytes) throw tooLarge()
  const file = await open(path, 'wx')
  const giveUp = () => void raw.destroy()
  raw.socket.setTimeout(SILENCE_MS, giveUp)
  try {
    let size = 0
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > LIMITS.mediaBytes) throw tooLarge()
      await file.appendFile(chunk)
    }
    return size
  } catch (error) {
    if ((error as { code?: string }).code === 'ECONNRESET') failWith(400, 'The upload stopped half way')
    throw error
  } finally {
    raw.socket.setTimeout(0)
    raw.socket.off('timeout', giveUp)
    await file.close()
  }
}

/** Closing now would reset who is still sending before they read why. */
export function swallow(raw: IncomingMessage): void {
  let size = 0
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > DISCARD_BYTES) raw.destroy()
  })
  raw.on('error', () => {})
}

function tooLarge(): ApiError {
  return new ApiError(413, `The file is larger than ${LIMITS.mediaBytes} bytes`)
}
