/** Files in a folder of this machine, or of a disk that all processes share. They travel through addresses of our own, signed. */
import { createHmac } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, mkdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSameSecret } from '../../infra/secrets/crypto.ts'
import type { UploadGrant, Store } from './store.ts'

/** `readSecret`: the same for all processes. `base` begins the addresses, as `/api/v1/content`. */
export function openFolderStore(folder: string, base: string, readSecret: () => Promise<string>): Store {
  return {
    sign: async (grant) => {
      if (grant.method === 'GET' && !(await isThere(pathIn(folder, grant.name)))) {
        // A disk that is not mounted has no files at all: that is another matter than one file that is missing.
        await access(folder, constants.R_OK)
        return undefined
      }
      if (grant.method === 'PUT') await mkdir(folder, { recursive: true, mode: 0o700 })
      return `${base}${addressOf(grant, await readSecret())}`
    },
    fetch: async (name, file) => {
      const path = pathIn(folder, name)
      if (!(await isThere(path))) return undefined
      await copyFile(path, file, constants.COPYFILE_FICLONE)
      return (await stat(file)).size
    },
    put: async (name, file) => {
      const path = pathIn(folder, name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(file, path)
    },
    remove: async (names) => {
      for (const name of names) await rm(pathIn(folder, name), { force: true })
      for (const parent of new Set(names.map((name) => dirname(pathIn(folder, name))))) await removeEmpty(parent)
    },
  }
}

/** Folders by the last letters of the id, so that none holds them all. */
export function pathIn(folder: string, name: string): string {
  const [id = '', object = ''] = name.split('/')
  if (!/^[\w-]{4,60}$/.test(id) || !/^[\w-]+(\.\w+)?$/.test(object)) throw new Error(`no name of the store: ${name}`)
  return join(folder, id.slice(-2), id, object)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) throw error
  })
}

// --- addresses ---

export type SignedQuery = { object?: string; expires?: string; type?: string; as?: string; signature?: string }

function addressOf(grant: UploadGrant, secret: string): string {
  const [id = '', object = ''] = grant.name.split('/')
  const query = new URLSearchParams({ object, expires: String(Math.floor(grant.expiresAt.getTime() / 1000)), type: grant.type })
  if (grant.method === 'GET') query.set('as', grant.disposition)
  query.set('signature', signatureOf(grant.method, id, Object.fromEntries(query), secret))
  return `/${id}/${grant.method === 'PUT' ? 'upload' : 'file'}?${query.toString()}`
}

/** Whether an address is one that this installation gave out for this, and has not ended. */
export function isGranted(method: 'PUT' | 'GET', id: string, query: SignedQuery, secret: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(query.expires ?? '') || Number(query.expires) * 1000 <= nowMs) return false
  return typeof query.signature === 'string' && isSameSecret(query.signature, signatureOf(method, id, query, secret))
}

function signatureOf(method: string, id: string, { object, expires, type, as }: SignedQuery, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, id, object, expires, type, as ?? '']))
    .digest('base64url')
}
