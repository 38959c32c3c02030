import type { Context } from '../../context.ts'
import type { Change, VersionRow, Actor } from '../../infra/change.ts'
import { requireStrictPublisher } from '../approvals/index.ts'
import { reserveQuota } from '../quota/index.ts'
import { lockCatalog, moveCatalog } from './queries.ts'

/** The catalog as a change finds it. `next`: the revision it moves to once anything is written; strings that change are stamped with it. */
export type LockedCatalog = { next: number; sourceLocale: string | null; locales: string[] }

/** Every write of locales, strings and translations: one transaction, and one after another in a workspace. */
export async function changeCatalog<T>(ctx: Context, by: Actor, work: (change: Change, catalog: LockedCatalog) => Promise<T>): Promise<T> {
  return ctx.change(by, async (change) => work(change, await holdCatalog(change)))
}

/** The catalog, held until the change ends; it is locked before everything else of a workspace. */
export async function holdCatalog({ tx, workspaceId }: Change): Promise<LockedCatalog> {
  const { revision, ...languages } = await lockCatalog(tx, workspaceId)
  return { next: revision + 1, ...languages }
}

/**
 * Called after something was written: the catalog moves to its next revision, and every process reads what changed. `reaches`:
 * whether live apps then show another text.
 */
export function touchCatalog(change: Change, { reaches = true } = {}): void {
  change.touch(catalogHead, reaches)
}

type Texts = { strings?: readonly { key: string; sourceText: string; description: string }[]; translations?: readonly { text: string }[] }

/** Reserves room for the texts of a change; every command that writes texts calls it. */
export function takeTextRoom(change: Change, { strings = [], translations = [] }: Texts): void {
  let bytes = 0
  for (const { key, sourceText, description } of strings)
    bytes += Buffer.byteLength(key) + Buffer.byteLength(sourceText) + Buffer.byteLength(description)
  for (const { text } of translations) bytes += Buffer.byteLength(text)
  reserveQuota(change, bytes)
}

const catalogHead: VersionRow<boolean> = {
  lock: 'catalog',
  move: async (change, touched) => {
    if (touched.includes(true)) await requireStrictPublisher(change)
    const { tx, workspaceId, now, emit } = change
    emit({ kind: 'strings', workspaceId, revision: await moveCatalog(tx, workspaceId, now) })
  },
}
