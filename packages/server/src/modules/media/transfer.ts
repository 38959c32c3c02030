/** Moves bytes between a folder and callers with a signed address; a file is never in memory whole. */
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { send } from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failWith } from '../../errors.ts'
import { isHead } from '../../http/node-server.ts'
import { pathIn, type SignedQuery } from './folder-store.ts'

/** The file runs no scripts, loads nothing, and is no page of this site even when a browser opens it as one. */
const CAGE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** Pages of every site may show a file. */
export const ANYBODY = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
/** Bytes under one address never change; the address ends by itself. */
const KEPT = 'private, max-age=3600, immutable'

/** Serves the bytes of a signed address, whole or in part. */
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
    .send(isHead(raw) ? nothingOf(stream) : stream)
}

/** For a HEAD request the file is not read. */
function nothingOf(stream: Readable): Readable {
  // It may be about to be opened, and gone by then: an error that nobody listens to would end the process.
  stream.on('error', () => undefined)
  stream.destroy()
  return Readable.from([])
}
