import type { Kept } from '../../kept-work.ts'
import { Failure } from '../failure.tsx'
import { SavedByOthers, type ConflictWords } from './saved-by-others.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { FoundWork } from './use-kept-work.tsx'

type Editing = {
  isDirty: boolean
  found: Kept<unknown> | undefined
  forget: () => void
  discard: () => void
  theirs: unknown
  takeTheirs: () => void
  overwrite: () => void
  error: Error | null
}

/** Notices above a draft with versions: work that the browser kept, a newer version of somebody else, and errors. */
export function EditNotices({ editing, words }: { editing: Editing; words: ConflictWords }) {
  const { isDirty, found, theirs, error } = editing
  return (
    <>
      <UnsavedGuard isDirty={isDirty} onLeave={editing.forget} />
      <FoundWork found={found} isDirty={isDirty} onDiscard={editing.discard} />
      {theirs !== undefined && <SavedByOthers words={words} onMine={editing.overwrite} onTheirs={editing.takeTheirs} />}
      {error && <Failure error={error} />}
    </>
  )
}
