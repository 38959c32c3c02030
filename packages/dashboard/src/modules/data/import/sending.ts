/** Sends the rows of a file to the server, chunk after chunk, even while other pages are shown. */
import { useSyncExternalStore } from 'react'
import { ApiError, call } from '../../../api.ts'
import { importPath } from '../api.ts'
import type { SentColumn } from './file/conversions.ts'
import type { OpenFile } from './file/open-file.ts'

export type Sending = {
  importId: string
  workspaceId: string
  /** Its rows can be read as long as the page is open. */
  file: OpenFile
  sent: number
  total: number
  state: 'sending' | 'sent' | 'failed'
  error: Error | null
}
type Begin = Pick<Sending, 'importId' | 'workspaceId' | 'file'> & {
  /** The columns of the import, in its order. */
  columns: SentColumn[]
  /** Rows that are there already. */
  staged: number
}

let current: Sending | undefined
const listeners = new Set<() => void>()

function show(sending: Sending | undefined): void {
  if (current && current.file !== sending?.file) current.file.close()
  current = sending
  for (const listener of listeners) listener()
}

/** What this page sends, or has sent, of an import. */
export function useSending(importId: string): Sending | undefined {
  const sending = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
  return sending?.importId === importId ? sending : undefined
}

/** Stops what is on its way; what arrived stays. */
export function stopSending(): void {
  show(undefined)
}

/** Stops sending, and leaves the file open for the next step. */
export function letGo(): void {
  current = undefined
  for (const listener of listeners) listener()
}

/** Sends what is missing, then asks for the dry run. The promise never rejects: how it ended is the state. */
export async function startSending({ columns, staged, ...of }: Begin): Promise<void> {
  const { file, importId, workspaceId } = of
  const total = file.shape.rows
  const isStill = () => current?.file === file
  const update = (change: Partial<Sending>) => isStill() && current && show({ ...current, ...change })
  show({ ...of, sent: Math.min(staged, total), total, state: 'sending', error: null })
  try {
    for (let from = staged + 1; from <= total && isStill();) {
      const rows = await file.chunk(from, columns)
      await patiently(() => call(`${importPath(importId)}/rows`, { method: 'POST', body: { startRow: from, rows }, workspaceId }), isStill)
      from += rows.length
      update({ sent: from - 1 })
    }
    if (!isStill()) return
    await patiently(() => call(`${importPath(importId)}/match`, { method: 'POST', workspaceId }), isStill)
    update({ state: 'sent' })
  } catch (error) {
    update({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
  }
}

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Repeats a call while the server is away or busy: rows that arrived are not counted twice. */
async function patiently(send: () => Promise<unknown>, isStill: () => boolean): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      await send()
      return
    } catch (error) {
      const isPassing = error instanceof ApiError && (error.isAway || error.status === 429)
      if (!isPassing || !isStill()) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  await send()
}
