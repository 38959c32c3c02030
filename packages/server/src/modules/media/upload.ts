/** From the upload address to a file of the library: it becomes one only after its bytes were checked. */
import { cutText } from '@contentflow/core/cut-text.ts'
import { open, type FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { cleanFileName } from '@contentflow/core/media/file-name.ts'
import { FILE_TYPES, fitsType, HEAD_BYTES, kindOf, readFileType } from '@contentflow/core/media/file-type.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { ApiError, fail, failWith } from '../../errors.ts'
import { receiveFile } from '../../http/bodies/receive-file.ts'
import { randomHex, uuidv7 } from '../../infra/secrets/crypto.ts'
import { isResting } from '../../infra/due/queries-due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { requireLibraryRoom, takeLibraryRoom } from '../quota/index.ts'
import type { Library } from './library.ts'
import * as queries from './queries.ts'
import type { Asset } from './queries.ts'
import { stripMetadata } from './strip-metadata.ts'

type Actor = { workspaceId: string; actor: string }
export type UploadTicket = { contentId: string; url: string; type: string; expiresAt: Date }

/** When an upload that was never finished, or came afterwards, is removed. */
const TIDY_MS = HOUR_MS

export const incomingOf = (id: string): string => `${id}/incoming`
export const objectOf = (id: string, object: string): string => `${id}/${object}`

/** M-CONT-01, M-CONT-02. */
export async function beginUpload(
  ctx: Context,
  library: Library,
  by: Actor,
  file: { fileName: string; mimeType: string },
): Promise<UploadTicket> {
  const type =
    readFileType(file.mimeType) ??
    failWith(400, `Files of the type ${JSON.stringify(cutText(file.mimeType, 100))} are not taken. These are: ${FILE_TYPES.join(', ')}`)
  await requireLibraryRoom(ctx.db, by.workspaceId, { id: '', bytes: 1 })
  const { id, expiresAt } = await ctx.change(by, async ({ tx, now }) => {
    const made = { id: uuidv7(now.getTime()), expiresAt: new Date(now.getTime() + LIMITS.uploadSeconds * 1000) }
    const asset = { workspace_id: by.workspaceId, id: made.id, file_name: cleanFileName(file.fileName), mime_type: type, made_by: by.actor }
    await queries.insertAsset(tx, { ...asset, due_at: new Date(made.expiresAt.getTime() + TIDY_MS) }, now)
    return made
  })
  const url = await library.store.sign({ method: 'PUT', name: incomingOf(id), type, expiresAt })
  if (url === undefined) throw new Error('the store gave out no address')
  return { contentId: id, url, type, expiresAt }
}

/** Receives the bytes of a file into a folder; returns how many. They count against the quota from then on, until the file is given up. */
export async function takeUpload(ctx: Context, library: Library, id: string, raw: IncomingMessage): Promise<number> {
  const workspaceId = (await library.ownerOf(id)) ?? failWith(404, 'file not found')
  const asset = (await queries.findAsset(ctx.db, workspaceId, id)) ?? failWith(404, 'file not found')
  // The address was given out before the workspace was suspended, and asks for no member (G-93).
  if (await isResting(ctx.db, workspaceId)) fail('WORKSPACE_SUSPENDED')
  if (asset.state === 'ready') failWith(409, 'This upload was finished; ask for another address')
  await requireLibraryRoom(ctx.db, workspaceId, { id, bytes: Number(raw.headers['content-length'] ?? 0) })
  const share = ctx.uploadSpace.open(workspaceId, LIMITS.mediaBytes)
  try {
    return await library.withFile(async (path) => {
      const size = await receiveFile(raw, { path, most: LIMITS.mediaBytes, share })
      await inTransaction(ctx.db, async (tx) => {
        await takeLibraryRoom(tx, workspaceId, { id, bytes: size })
        await queries.noteIncoming(tx, workspaceId, id, size)
      })
      await library.store.put(incomingOf(id), path, asset.mime_type)
      return size
    })
  } finally {
    share.release()
  }
}

/** M-CONT-04. Asked again it answers the same. */
export async function finalizeUpload(ctx: Context, library: Library, by: Actor, id: string): Promise<Asset> {
  const asset = (await queries.findAsset(ctx.db, by.workspaceId, id)) ?? failWith(404, 'file not found')
  if (asset.state === 'ready') return asset
  const { store } = library
  const object = randomHex(8)
  const stored = objectOf(id, object)
  const found = await library.withFile(async (path) => {
    const sent = await store.fetch(incomingOf(id), path, LIMITS.mediaBytes)
    if (sent === undefined) failWith(409, 'Nothing was uploaded yet: send the bytes to uploadUrl first')
    try {
      await checkType(path, asset.mime_type, sent)
      const size = await stripMetadata(path, asset.mime_type, sent)
      const about = await lookInto(library, by.workspaceId, path, asset.mime_type)
      await requireLibraryRoom(ctx.db, by.workspaceId, { id, bytes: size })
      await store.put(stored, path, asset.mime_type)
      return { size, ...about }
    } catch (error) {
      // Bytes that cannot become a file are removed.
      if (error instanceof ApiError && error.status < 500) await store.remove([incomingOf(id)])
      throw error
    }
  })
  const finish = ctx.change(by, async ({ tx, now }) => {
    await takeLibraryRoom(tx, by.workspaceId, { id, bytes: found.size })
    return queries.finishAsset(tx, by.workspaceId, id, { ...found, object, updated_at: now })
  })
  const ready = await finish.catch(async (error: unknown) => {
    // Other files took the room meanwhile.
    if (error instanceof ApiError && error.status < 500) await store.remove([incomingOf(id), stored])
    throw error
  })
  await store.remove([ready ? incomingOf(id) : stored])
  return ready ?? queries.getAsset(ctx.db, by.workspaceId, id)
}

type About = Pick<Asset, 'width' | 'height' | 'is_animated' | 'placeholder'>

async function checkType(path: string, type: string, size: number): Promise<void> {
  if (size > LIMITS.mediaBytes) failWith(413, `The file is larger than ${LIMITS.mediaBytes} bytes`)
  if (size === 0) failWith(400, 'The file is empty')
  if (!fitsType(type, await readHead(path))) failWith(400, `The file is not of the type ${type} that it was declared as`)
}

async function lookInto(library: Library, asker: string, path: string, type: string): Promise<About> {
  const picture = kindOf(type) === 'image' ? await library.pictures.inspect(asker, path) : undefined
  if (!picture) return { width: null, height: null, is_animated: false, placeholder: null }
  const { width, height, isAnimated, placeholder } = picture
  return { width, height, is_animated: isAnimated, placeholder }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file: FileHandle = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
