/** The parts of the content library that are opened once for the process: its store, a folder for files in work, and the picture maker. */
import { DAY_MS } from '@contentflow/core/units.ts'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import { openFolderStore } from './folder-store.ts'
import { Pictures } from './pictures.ts'
import { findOwner, readSecret } from './queries.ts'
import { openS3Store } from './s3-store.ts'
import { guardStore, type Store } from './store.ts'

export type Library = {
  store: Store
  pictures: Pictures
  /** Where the folder store keeps files; undefined with S3. */
  folder: string | undefined
  /** Signs addresses of the folder store. */
  secret(): Promise<string>
  /** The workspace of a file. */
  ownerOf(id: string): Promise<string | undefined>
  /** A path for a file in work; whatever is there afterwards is removed. */
  withFile<T>(work: (path: string) => Promise<T>): Promise<T>
  /** Smaller pictures that are being made. */
  making: Map<string, Promise<void>>
}

/** Where files of the folder store are served, below the root of the management API. */
const ROOT = '/api/v1/content'
const TEMPORARY = 'incoming'
/** A file that is older than this was left by a process that died. */
const LEFT_MS = DAY_MS

export function openLibrary(ctx: Context): Library {
  const { folder, s3 } = ctx.config.media
  const owners = new GenerationalCache<string, string>(20_000)
  const secret = memoizeUntilFailure(() => readSecret(ctx.db))
  const place = memoizeUntilFailure(() => (s3 ? mkdtemp(join(tmpdir(), 'contentflow-')) : removeOldFiles(join(folder, TEMPORARY))))
  return {
    store: guardStore(ctx, s3 ? openS3Store(s3, ctx.clock) : openFolderStore(folder, ROOT, secret)),
    pictures: new Pictures(),
    folder: s3 ? undefined : folder,
    secret,
    ownerOf: async (id) => {
      if (!/^[\w-]{1,60}$/.test(id)) return undefined
      const known = owners.get(id)
      if (known !== undefined) return known
      const owner = await findOwner(ctx.db, id)
      if (owner !== undefined) owners.set(id, owner)
      return owner
    },
    withFile: async (work) => {
      const path = join(await place(), randomUUID())
      try {
        return await work(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    making: new Map(),
  }
}

/** The secret is read once, and again only when that failed. */
function memoizeUntilFailure<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

async function removeOldFiles(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const name of await readdir(path)) {
    const file = join(path, name)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > LEFT_MS) await rm(file, { force: true })
  }
  return path
}
