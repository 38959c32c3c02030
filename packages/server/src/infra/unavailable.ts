import type { Db } from '../db/open.ts'
import { InjectedFault } from './faults.ts'

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** The disk is full, or no more files can be opened: for now. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])
/** SQLSTATE classes: connection, resources, operator intervention, system. */
const AWAY_STATES = /^(08|53|57|58)/
/** A statement that took too long: of whoever sent it alone. */
const TIMED_OUT = '57014'
/** Serialization, deadlock, a lock that was not to be had. */
const DISTURBED = /^(40001|40P01|55P03)$/
/** A row that was to be made is there by now, or one that was to be referred to is gone. */
const OVERTAKEN = /^(23505|23503)$/

/** Whether the database (or what a fault stands for) is away, rather than the request or the code wrong. */
export function isAway(error: unknown): boolean {
  if (error instanceof InjectedFault) return true
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (code === TIMED_OUT) return false
  if (code && (SYSTEM_CODES.has(code) || AWAY_STATES.test(code))) return true
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
  return isAway(error) || isTimeout(error) || DISTURBED.test(stateOf(error)) || FULL.has(stateOf(error))
}

/** What a transaction has read no longer holds. */
export class LostRace extends Error {}

/** Whether another write was in the way, so that the same work, done again from its beginning, may well succeed. */
export function isLostRace(error: unknown): boolean {
  return isDisturbed(error) || OVERTAKEN.test(stateOf(error))
}

/** The same of work that holds what it makes and refers to: a row that is there or gone is then a refusal. */
export function isDisturbed(error: unknown): boolean {
  return error instanceof LostRace || DISTURBED.test(stateOf(error))
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

/** Work that runs into other writes is done again this often. */
const ATTEMPTS = 4

/** Again while other writes are in the way. It writes all or nothing. */
export async function untilUndisturbed<T>(work: () => Promise<T>, isInTheWay = isLostRace): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isInTheWay(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** `work` in one transaction of its own, which touches nothing outside. What changes a workspace goes through `ctx.change`. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>, isInTheWay = isDisturbed): Promise<T> {
  return untilUndisturbed(() => db.transaction().execute(work), isInTheWay)
}
