/** The file of an import in a request: as it is, packed, or in a form. Each is taken out of the one before on the disk. */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError, failWith } from '../../../errors.ts'
import { receiveFile, drainRequest } from '../../../http/bodies/receive-file.ts'
import type { UploadShare } from '../../../infra/files/upload-space.ts'

const MOST = LIMITS.enrichmentFileBytes
const CUT_OFF = 'The file is cut off, or is not what Content-Encoding and Content-Type say'

/** The path of the file, in `folder`, unpacked. Refused with 400, 413 or 415. */
export async function receiveRows(raw: IncomingMessage, folder: string, share: UploadShare): Promise<string> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = raw.headers
  if (encoding !== 'identity' && encoding !== 'gzip') throw new ApiError(415, 'Send the file as it is, or with Content-Encoding: gzip')
  const sent = join(folder, 'sent')
  await receiveFile(raw, { path: sent, most: MOST, share }).catch((error: unknown) => {
    drainRequest(raw, MOST)
    throw error
  })
  const whole = encoding === 'gzip' ? await takeOut((from, to) => unpack(from, to, share), sent, join(folder, 'unpacked')) : sent
  return /^multipart\/form-data\b/i.test(type)
    ? takeOut((from, to) => fileOfForm(type, from, to, share), whole, join(folder, 'file'))
    : whole
}

type TakeOut = (from: string, to: string) => Promise<void>

async function takeOut(work: TakeOut, from: string, to: string): Promise<string> {
  try {
    await work(from, to)
    return to
  } catch (error) {
    // What unpacks and takes apart fails with codes and messages of its own; the disk with the codes of the system.
    throw error instanceof ApiError || /^E[A-Z]+$/.test((error as { code?: string }).code ?? '') ? error : new ApiError(400, CUT_OFF)
  }
}

const unpack = async (from: string, to: string, share: UploadShare) =>
  pipeline(createReadStream(from), createGunzip(), boundedBy(share), createWriteStream(to))

/** No file larger than one may be, and none that the disk has no room for. */
function boundedBy(share: UploadShare) {
  return async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > MOST) throw new ApiError(413, `The file is larger than ${MOST} bytes`)
      share.take(chunk.length)
      yield chunk
    }
  }
}

/** The first file of the form. */
async function fileOfForm(type: string, from: string, to: string, share: UploadShare): Promise<void> {
  if (!/;\s*boundary=/i.test(type)) failWith(400, CUT_OFF)
  // What is taken out of it is no larger.
  share.take((await stat(from)).size)
  const form = new Busboy({ headers: { 'content-type': type }, limits: { files: 1, fields: 20, fieldSize: 10_000, parts: 30 } })
  const found: Promise<void>[] = []
  form.on('file', (_name: string, file: BusboyFileStream) => found.push(pipeline(file, createWriteStream(to))))
  const [read] = await Promise.allSettled([pipeline(createReadStream(from), form)])
  // Of a form that breaks off, its file does not end: it is given up with it.
  for (const each of [read, ...(await Promise.allSettled(found))]) if (each.status === 'rejected') throw each.reason
  if (found.length === 0) failWith(400, 'The form has no file; send it as -F file=@people.csv does')
}
