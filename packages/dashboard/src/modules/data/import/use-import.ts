import { useEffect, useState } from 'react'
import type { ImportStatus } from '@contentflow/core/imports/status.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { importPath, STALE, type Import } from '../api.ts'
import { forgetImport } from './memory.ts'
import { stopSending, useSending } from './sending.ts'

const QUICK_MS = 1_000
const SLOW_MS = 15_000
const WORKING: ReadonlySet<ImportStatus> = new Set(['matching', 'committing'])

/** An import, asked for again every second while the server works on it. */
export function useImport(importId: string) {
  const sending = useSending(importId)
  const [isQuick, setQuick] = useState(false)
  const found = useRead<Import>(importPath(importId), {}, { every: isQuick ? QUICK_MS : SLOW_MS })
  const { data, refetch } = found
  const isAwaited = sending?.state === 'sent' && data?.status === 'staging'
  useEffect(() => setQuick(isAwaited || (data !== undefined && WORKING.has(data.status))), [isAwaited, data])
  // All rows have arrived, so the server's last answer is outdated.
  useEffect(() => {
    if (isAwaited) void refetch()
  }, [isAwaited, refetch])
  return { ...found, sending }
}

/** The actions on an import; `takeBack` cancels it to start again with the same file. An import that is cancelled while the server works on it is cancelled as soon as that is possible. */
export function useImportActions({ importId, status }: Pick<Import, 'importId' | 'status'>) {
  const { workspace } = useSession()
  const [isGivenUp, setGivenUp] = useState(false)
  const path = importPath(importId)
  const match = useWrite<void>(() => ({ path: `${path}/match`, method: 'POST' }), { stale: ['/enrichment'], showsError: true })
  const commit = useWrite<{ createMissing: boolean }>((body) => ({ path: `${path}/commit`, method: 'POST', body }), {
    stale: STALE,
    showsError: true,
  })
  const cancel = useWrite<void>(() => ({ path, method: 'DELETE' }), { stale: ['/enrichment'], showsError: true })
  const takeBack = (then: () => void) =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        forgetImport(workspace.id, importId)
        then()
      },
    })
  const giveUp = () => {
    stopSending()
    if (status === 'matching') return setGivenUp(true)
    cancel.mutate(undefined, { onSuccess: () => forgetImport(workspace.id, importId) })
  }
  useEffect(() => {
    if (!isGivenUp || status === 'matching') return
    setGivenUp(false)
    if (status === 'ready' || status === 'failed') giveUp()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isGivenUp, status])
  const isGivingUp = isGivenUp || cancel.isPending
  return { match, commit, giveUp, takeBack, isGivingUp, isTakingBack: cancel.isPending, error: match.error ?? commit.error ?? cancel.error }
}

export type ImportActions = ReturnType<typeof useImportActions>
