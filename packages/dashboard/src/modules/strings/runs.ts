/** Work of many requests: it continues while other pages are shown, and reports its progress. */
import { useSyncExternalStore } from 'react'

export type Refused = { key: string; message: string }
export type Progress = { done: number; total: number; refused: Refused[] }
export type Run = Progress & {
  id: number
  workspaceId: string
  kind: 'approve' | 'draft' | 'import'
  /** Empty: not of one language. */
  locale: string
  state: 'running' | 'done' | 'failed' | 'stopped'
  error: Error | null
}

type Report = (progress: Progress) => void
/** Does the work step by step. Stops between two steps when `isStopped` says so. */
type Work = (report: Report, isStopped: () => boolean) => Promise<void>

let current: Run | undefined
let count = 0
const listeners = new Set<() => void>()

function show(run: Run | undefined): void {
  current = run
  for (const listener of listeners) listener()
}

/** The work that is going on or has just ended in a workspace; there is one at a time. */
export function useRun(workspaceId: string): Run | undefined {
  const run = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
  return run?.workspaceId === workspaceId ? run : undefined
}

function isGoingOn(): boolean {
  return current?.state === 'running'
}

/** Begins unless something is going on. The promise never rejects: how it ended is the state of the run. */
export async function startRun(begin: Pick<Run, 'workspaceId' | 'kind' | 'locale' | 'total'>, work: Work): Promise<void> {
  if (isGoingOn()) return
  const id = ++count
  const update = (change: Partial<Run>) => current?.id === id && show({ ...current, ...change })
  show({ ...begin, id, done: 0, refused: [], state: 'running', error: null })
  try {
    await work(update, () => current?.id !== id || current.state === 'stopped')
    if (isGoingOn()) update({ state: 'done' })
  } catch (error) {
    update({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
  }
}

/** Stops the run; what is written stays. */
export function stopRun(): void {
  if (current?.state === 'running') show({ ...current, state: 'stopped' })
}

export function forgetRun(): void {
  if (current?.state !== 'running') show(undefined)
}

/** Small enough that the bar moves, and that one step that fails leaves little undone. */
const KEYS_PER_STEP = 100

/** Calls `send` with one part of the keys after another. Refusals are reported at the end; the other keys go on. */
export async function inSteps(
  keys: readonly string[],
  send: (keys: string[]) => Promise<Refused[]>,
  report: Report,
  isStopped: () => boolean,
): Promise<void> {
  const refused: Refused[] = []
  for (let from = 0; from < keys.length && !isStopped(); from += KEYS_PER_STEP) {
    refused.push(...(await send(keys.slice(from, from + KEYS_PER_STEP))))
    report({ done: Math.min(from + KEYS_PER_STEP, keys.length), total: keys.length, refused: [...refused] })
  }
}

/** Calls `send` until nothing is missing any more, or a call changes nothing. */
export async function untilNothingMisses(
  total: number,
  send: () => Promise<{ drafted: number; missing: number }>,
  report: Report,
  isStopped: () => boolean,
): Promise<void> {
  let done = 0
  while (!isStopped()) {
    const { drafted, missing } = await send()
    done += drafted
    report({ done, total: Math.max(total, done + missing), refused: [] })
    if (missing === 0 || drafted === 0) return
  }
}
