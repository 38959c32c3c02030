/** Files that callers send: to the disk as they come, never in memory whole. */
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../errors.ts'
import type { UploadShare } from '../../infra/files/upload-space.ts'

/** How often uploads are checked: one that was slower than the least speed since the last check is ended. */
const WINDOW_MS = 30_000
/** Bytes a second. Even so slow a file takes longer than a request may; the limit ends uploads that only hold a place. */
const LEAST_SPEED = 1_000
/** How long a client has to read its answer before the connection is cut; milliseconds. */
const LINGER_MS = 2_000

type Into = { path: string; most: number; share: UploadShare }

/** Writes the file of a request to `path`, which must be new; returns its size. `share` counts what it takes of the disk. */
export async function receiveFile(raw: IncomingMessage, { path, most, share }: Into): Promise<number> {
  const announced = Number(raw.headers['content-length'] ?? 0)
  if (announced > most) throw tooLarge(most)
  // Checked before the client sends it in vain, where its length is known. Room is taken as bytes arrive, so that announcing much takes none.
  share.check(announced)
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    await eachChunk(raw, async (chunk) => {
      size += chunk.length
      if (size > most) throw tooLarge(most)
      share.take(chunk.length)
      await file.appendFile(chunk)
    })
    return size
  } finally {
    await file.close()
  }
}

/** Passes chunks to `work` one after another, and fails below the least speed. On failure the request stays open for its answer. */
function eachChunk(raw: IncomingMessage, work: (chunk: Buffer) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let brought = 0
    const end = (error?: Error) => {
      clearInterval(timer)
      raw.off('data', take).off('end', end).off('error', stopped).off('close', stopped)
      if (error) reject(error)
      else resolve()
    }
    const stopped = () => end(new ApiError(400, 'The upload stopped half way'))
    const take = (chunk: Buffer) => {
      brought += chunk.length
      raw.pause()
      work(chunk).then(() => void raw.resume(), end)
    }
    const timer = setInterval(() => {
      if (brought < (LEAST_SPEED * WINDOW_MS) / 1000) {
        end(new ApiError(408, `The upload is slower than ${LEAST_SPEED} bytes a second`))
        // A client that goes on sending is cut off once the answer was sent.
        setTimeout(() => raw.destroy(), LINGER_MS).unref()
      }
      brought = 0
    }, WINDOW_MS)
    raw.on('data', take).on('end', end).on('error', stopped).on('close', stopped)
  })
}

/** Reads the rest of a refused request and throws it away: closing now would reset a client that is still sending before it reads why. */
export function drainRequest(raw: IncomingMessage, most: number): void {
  let size = 0
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    // A client that goes on sending is cut off.
    if (size > 2 * most) raw.destroy()
  })
  raw.on('error', () => {})
  // It may have been paused while a chunk was worked on.
  raw.resume()
}

function tooLarge(most: number): ApiError {
  return new ApiError(413, `The file is larger than ${most} bytes`)
}
