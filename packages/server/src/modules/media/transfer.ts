/** Bytes on their way from a folder to whoever has a signed address; no file is ever in memory whole. */
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { send } from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failWith } from '../../errors.ts'
import { isHead } from '../../http/node-server.ts'
import { pathIn, type SignedQuery } from './folder-store.ts'

/** Runs nothing, loads nothing, and is no page of ours even if somebody opens it as one. */
const CAGE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** Anybody's page may show a file. */
export const ANYBODY = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
/** Bytes under one address never change; the address ends by itself. */
const KEPT = 'private, max-age=3600, immutable'

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
    .send(isHead(raw) ? nothingOf(stream) : stream)
}

/** For a HEAD request the file is not read. */
function nothingOf(stream: Readable): Readable {
  stream.destroy()
  return Readable.from([])
}
