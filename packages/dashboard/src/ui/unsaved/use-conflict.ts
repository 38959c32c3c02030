import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '../../api.ts'
import { useSession } from '../../session.tsx'

export type Conflict<T> = {
  /** The version that somebody else stored after this page read it; undefined: there is no conflict. */
  theirs: T | undefined
  setTheirs: (theirs: T | undefined) => void
  /** Reads what is stored now when a write was refused because of a newer version. Whether it was. */
  meet: (error: unknown) => boolean
  isReading: boolean
  /** The error of reading the current version. */
  error: Error | null
}

/** A write was refused because another member saved a newer version (412): that one is read from `path`, so that a person decides. */
export function useConflict<T>(path: string): Conflict<T> {
  const { workspace } = useSession()
  const [theirs, setTheirs] = useState<T>()
  const newest = useMutation({
    mutationFn: async () => (await call<T>(path, { workspaceId: workspace.id })).data,
    onSuccess: (data) => setTheirs(() => data),
  })
  const meet = (error: unknown) => {
    const isConflict = isVersionChanged(error)
    if (isConflict) newest.mutate()
    return isConflict
  }
  return { theirs, setTheirs: (next) => setTheirs(() => next), meet, isReading: newest.isPending, error: newest.error }
}

/** The refusal that a conflict is made of, which is asked about and not shown as an error. */
export function isVersionChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'VERSION_CHANGED'
}
