/** Earlier states of a draft, so that changes can be undone. */
export type History<T> = { now: T; before: readonly T[]; after: readonly T[]; mark: string | undefined }

const MOST = 100

export function startHistory<T>(now: T): History<T> {
  return { now, before: [], after: [], mark: undefined }
}

/** Changes that follow each other with the same mark, as of typing in one field, are taken back together. */
export function change<T>(history: History<T>, now: T, mark?: string): History<T> {
  const isSame = mark !== undefined && mark === history.mark
  return { now, before: isSame ? history.before : [...history.before, history.now].slice(-MOST), after: [], mark }
}

export function undo<T>({ now, before, after }: History<T>): History<T> {
  const last = before.at(-1)
  if (last === undefined) return { now, before, after, mark: undefined }
  return { now: last, before: before.slice(0, -1), after: [now, ...after], mark: undefined }
}

export function redo<T>({ now, before, after }: History<T>): History<T> {
  const [next, ...rest] = after
  if (next === undefined) return { now, before, after, mark: undefined }
  return { now: next, before: [...before, now], after: rest, mark: undefined }
}
