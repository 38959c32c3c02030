/** Files that callers send: to the disk as they come, never in memory whole. */
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { ApiError, failWith } from '../../errors.ts'
import type { UploadShare } from '../../infra/upload-space.ts'

/** Nothing arrives for so long: the upload is given up. */
const SILENCE_MS = 30_000

type Into = { path: string; most: number; share: UploadShare }

/** Writes the file of a request to `path`, which must be new; its size. What it takes of the disk is `share`'s. */
export async function receiveFile(raw: IncomingMessage, { path, most, share }: Into): Promise<number> {
  const announced = Number(raw.headers['content-length'] ?? 0)
  if (announced > most) throw tooLarge(most)
  // Before it is sent for nothing, where its length is known.
  share.take(announced)
  const file = await open(path, 'wx')
  const giveUp = () => void raw.destroy()
  raw.socket.setTimeout(SILENCE_MS, giveUp)
  try {
    let size = 0
    // The request stays open when reading stops: its answer is still to be sent.
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > most) throw tooLarge(most)
      if (announced === 0) share.take(chunk.length)
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

/** What is left of a request that was refused is read past: closing now would reset who is still sending before they read why. */
export function swallow(raw: IncomingMessage, most: number): void {
  let size = 0
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    // A caller who goes on is cut off.
    if (size > 2 * most) raw.destroy()
  })
  raw.on('error', () => {})
}

function tooLarge(most: number): ApiError {
  return new ApiError(413, `The file is larger than ${most} bytes`)
}
