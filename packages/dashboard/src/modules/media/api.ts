/** The server's answers about files. */
import type { Asset, AssetPage, Upload } from '@contentflow/server/wire.ts'
import { rawPath } from '@contentflow/core/media/picture.ts'
import { ApiError, call } from '../../api.ts'

export type { Asset, AssetPage }

/** Starts of paths that a change of a file makes stale. */
export const STALE = ['/content']

/** A picture no wider than needed, from this server, wherever the dashboard is. */
export function pictureOf({ contentId }: Pick<Asset, 'contentId'>, width: number): string {
  return `${rawPath(contentId)}?w=${width}`
}

/** Uploads a file of this device to the library. `onProgress` gets the sent part, from 0 to 1. */
export async function uploadFile(workspaceId: string, file: File, onProgress: (part: number) => void): Promise<Asset> {
  const body = { fileName: file.name || 'pasted', mimeType: file.type || 'application/octet-stream' }
  const { data } = await call<Upload>('/content/generate-upload-url', { method: 'POST', body, workspaceId })
  await send(data, file, onProgress)
  return (await call<Asset>('/content/finalize-upload', { method: 'POST', body: { contentId: data.contentId }, workspaceId })).data
}

/** `fetch` does not tell how far it is. */
function send({ uploadUrl, method, headers }: Upload, file: File, onProgress: (part: number) => void): Promise<void> {
  // The server may not know under which name this browser reaches it; a bucket has its own.
  const { pathname, search } = new URL(uploadUrl)
  const address = pathname.startsWith('/api/v1/content/') ? pathname + search : uploadUrl
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve()
      else reject(new ApiError(request.status, request.statusText, `${method} upload`))
    })
    request.addEventListener('error', () => reject(new ApiError(0, '', `${method} upload`)))
    request.send(file)
  })
}
