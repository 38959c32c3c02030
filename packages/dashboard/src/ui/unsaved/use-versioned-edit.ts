import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import type { Kept } from '../../kept-work.ts'
import { useSession } from '../../session.tsx'
import { isVersionChanged, useConflict } from './use-conflict.ts'
import { useKeepWork } from './use-kept-work.tsx'

/** What the browser keeps of an edit: the version under it, and the draft. */
export type KeptEdit<S, D> = { stored: S; draft: D }

type VersionedEdit<S, D> = {
  /** The name under which the browser keeps what is not saved, such as `segment/1`. */
  thing: string
  /** The path for reading and saving. */
  path: string
  /** The newest version that this page has read. */
  read: S
  /** Work that the browser kept, read before the draft was begun. */
  found: Kept<KeptEdit<S, D>> | undefined
  draft: D
  setDraft: (draft: D) => void
  draftOf: (stored: S) => D
  isSame: (a: D, b: D) => boolean
  /** Starts of paths whose readings are stale after a save. */
  stale: string[]
  /** Shown when it is saved. */
  done: string
  /** Further writes of the same thing, each on top of a version too. */
  writes?: { isPending: boolean; error: ApiError | null }[]
}

/**
 * A draft of something that has versions. It is saved on top of the version that was read; when somebody else saved
 * meanwhile, a person chooses between both. The browser keeps unsaved changes. A draft without changes
 * follows the versions that others save.
 */
export function useVersionedEdit<S extends { version: number }, D, B>(edit: VersionedEdit<S, D>) {
  const { thing, path, read, found, draft, setDraft, draftOf, isSame, stale, done, writes = [] } = edit
  const { workspace } = useSession()
  const client = useQueryClient()
  const [stored, setStored] = useState(found?.value.stored ?? read)
  const { theirs, setTheirs, meet, ...conflict } = useConflict<S>(path)
  const isDirty = !isSame(draft, draftOf(stored))
  const { forget } = useKeepWork(thing, isDirty ? { stored, draft } : undefined, found !== undefined)
  const save = useWrite<{ body: B; version: number }, S>((sent) => ({ path, method: 'PUT', ...sent }), { stale, done, showsError: true })
  const reset = (next: S) => {
    setStored(next)
    setDraft(draftOf(next))
    setTheirs(undefined)
  }
  /** `next` is stored now; what was typed while it was being saved stays. */
  const take = (next: S) => {
    client.setQueryData([workspace.id, path, {}], next)
    setStored(next)
    setTheirs(undefined)
  }
  /** Saves on top of `base`; refused when somebody saved after it. Undefined: it was refused, and `error` or `theirs` says why. */
  const saveOn = async (base: S, body: B): Promise<S | undefined> => {
    try {
      const next = await save.mutateAsync({ body, version: base.version })
      take(next)
      return next
    } catch (error) {
      meet(error)
      return undefined
    }
  }
  const all = [save, ...writes]
  const isBusy = all.some(({ isPending }) => isPending) || conflict.isReading
  const isStoredIn = (version: S) => isSame(draft, draftOf(version))
  // The newest version is shown when nothing is typed here, or when it is this draft: the page was left before the answer to its
  // save came. While a save is under way the newest version may be our own, and what is typed may be what was stored before it.
  if (!isBusy && read.version > stored.version && (!isDirty || isStoredIn(read))) reset(read)
  else if (theirs && isStoredIn(theirs)) reset(theirs)
  return {
    stored,
    isDirty,
    isBusy,
    found,
    forget,
    discard: () => reset(read),
    theirs,
    takeTheirs: () => theirs && reset(theirs),
    meet,
    take,
    save,
    saveOn,
    error: conflict.error ?? all.find(({ error }) => error && !isVersionChanged(error))?.error ?? null,
  }
}
