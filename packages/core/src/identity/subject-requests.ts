/**
 * The states of a request that a person made about their data (decision 0069).
 *
 *            ┌─────────────► verifying ──┐
 *   recorded │ ◄───────────── (identity) │
 *   ───────► open ───────────────────────┼──► done       answered: the file, the receipt or a letter went out
 *                                        └──► refused    with a reason
 *
 * What is done or refused stays so: somebody who asks again makes another request, with days of its own.
 */
export const REQUEST_STATES = ['open', 'verifying', 'done', 'refused'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

const NEXT: Record<RequestState, readonly RequestState[]> = {
  open: ['verifying', 'done', 'refused'],
  verifying: ['open', 'done', 'refused'],
  done: [],
  refused: [],
}

/** Whether a request still waits for somebody. */
export function isWaiting(state: RequestState): boolean {
  return NEXT[state].length > 0
}

export function mayBecome(from: RequestState, to: RequestState): boolean {
  return NEXT[from].includes(to)
}

/** Longest texts that members write about a request. */
export const REQUEST_TEXT = 2_000
