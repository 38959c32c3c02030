/**
 * One kind of request, of which at most one runs at a time, and when it is due next. Times are milliseconds.
 *
 *   resting ──due──▶ under way ──answered──▶ resting, and due again
 *                        │                     good, unchanged   at the pace of polls
 *                        │                     refused           the same; a write is gone, and its promise rejects
 *                        │                     retry             after a wait that grows; a write stays
 *                        ╰──key rejected──▶ nothing is due any more
 *
 * `judge` says which it is. No answer, 429, 5xx and whatever has no envelope are `retry`.
 *
 * Only the answer to the running request counts: an older one, however late it comes, carries another number.
 */
import { retryDelay } from './retry.ts'

export type Lane = {
  /** The number of the request under way; 0 while resting. */
  request: number
  /** While a request is under way this is about the one after it. Infinity: nothing is due. */
  dueAt: number
  /** The server wishes for no request before this moment. */
  notBefore: number
  /** Failures in a row. */
  attempt: number
  /** Callers that wait for the running request, or for the next one when none is running. */
  waiters: readonly string[]
  /** Callers that asked too late for the running request. */
  next: readonly string[]
}

/** Time and randomness, which come in with every event: the machine reads no clock itself. */
export type Moment = {
  now: number
  /** A random number from 0 to below 1. */
  random: number
  /** A new unique id. */
  id: string
}

/** No request is running, and the first is due at once. */
export const RESTING: Lane = { request: 0, dueAt: 0, notBefore: 0, attempt: 0, waiters: [], next: [] }

export function isDue({ request, dueAt }: Lane, now: number): boolean {
  return !request && dueAt <= now
}

/** A request is wanted at `at` or earlier. A running one began too early to count, so another one follows it. */
export function ask(lane: Lane, at: number, waiters: readonly string[] = []): Lane {
  const dueAt = Math.max(Math.min(lane.dueAt, at), lane.notBefore)
  return lane.request > 0
    ? { ...lane, dueAt, next: [...lane.next, ...waiters] }
    : { ...lane, dueAt, waiters: [...lane.waiters, ...waiters] }
}

export function begin(lane: Lane, request: number): Lane {
  return { ...lane, request, dueAt: Infinity }
}

/** Drops the running request, whose answer would be about another person or view. Another one is due at once. */
export function restart(lane: Lane, now: number): Lane {
  return { ...ask(lane, now), request: 0, waiters: [...lane.waiters, ...lane.next], next: [] }
}

/** Answered: due again at `dueAt`, or earlier when it was asked for meanwhile. */
export function finish(lane: Lane, dueAt: number): Lane {
  return { ...RESTING, dueAt: Math.min(lane.dueAt, dueAt), waiters: lane.next }
}

/** Failed in a way that may pass: due again after a wait that grows, and never before the server's wish (C-ERR-27). */
export function fail(lane: Lane, { now, random }: Moment, retryAfterMs = 0): Lane {
  const dueAt = now + retryDelay(lane.attempt, random, retryAfterMs)
  return { ...RESTING, dueAt, notBefore: now + retryAfterMs, attempt: lane.attempt + 1, waiters: lane.next }
}
