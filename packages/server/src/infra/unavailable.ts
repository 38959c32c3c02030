import type { Db } from '../db/open.ts'
import { InjectedFault } from './faults.ts'
import { onceInRequest } from './once/once.ts'

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** The disk is full, or no more files can be opened: for now. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])
/** SQLSTATE classes: connection, resources, operator intervention, system. */
const CONNECTION_STATES = /^(08|53|57|58)/
/** A statement that took too long: of whoever sent it alone. */
const TIMED_OUT = '57014'
/** Serialization failure, deadlock, lock not available. */
const SERIALIZATION_FAILURES = /^(40001|40P01|55P03)$/
/** Unique violation, foreign key violation: another transaction made the row, or deleted what it refers to. */
const CONSTRAINT_VIOLATIONS = /^(23505|23503)$/

/** Whether the database (or what a fault stands for) is away, rather than the request or the code wrong. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof InjectedFault) return true
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (code === TIMED_OUT) return false
  if (code && (SYSTEM_CODES.has(code) || CONNECTION_STATES.test(code))) return true
  return /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** Whether its statement took too long, as it may where it waits for a lock. */
export function isTimeout(error: unknown): boolean {
  return stateOf(error) === TIMED_OUT
}

/** Whether the same request may well succeed a little later. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionError(error) || isTimeout(error) || SERIALIZATION_FAILURES.test(stateOf(error)) || FULL.has(stateOf(error))
}

/** Another transaction changed what this one has read; the work is retried. */
export class StaleReadError extends Error {}

/** Whether the work conflicted with another write, so that a retry from its beginning may succeed. */
export function isWriteConflict(error: unknown): boolean {
  return isSerializationFailure(error) || CONSTRAINT_VIOLATIONS.test(stateOf(error))
}

/** The same for work that locks the rows it makes and refers to: for it, a violated constraint is a refusal and no conflict. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof StaleReadError || SERIALIZATION_FAILURES.test(stateOf(error))
}

/** As a cluster may tell of what one of its machines refused: with the words alone. */
const OF_A_MACHINE = 'XX000'
const DUPLICATE = /^duplicate key value violates unique constraint/

/** SQLSTATE of what the database refused; empty for any other error. */
export function stateOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === OF_A_MACHINE && DUPLICATE.test(String(message))) return '23505'
  return typeof code === 'string' ? code : ''
}

/** Attempts at work that conflicts with other writes, the first one counted. */
const ATTEMPTS = 4

/** Retries `work` from its beginning while it conflicts with other writes, at most four times. `work` writes all or nothing. */
export async function retryOnConflict<T>(work: () => Promise<T>, isConflict = isWriteConflict): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** `work` in one transaction of its own, which touches nothing outside. What changes a workspace goes through `ctx.change`. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>, isConflict = isSerializationFailure): Promise<T> {
  return onceInRequest((keep) => retryOnConflict(() => db.transaction().execute(async (tx) => keep(tx, await work(tx))), isConflict))
}
