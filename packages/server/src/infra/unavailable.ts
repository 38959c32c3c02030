import { InjectedFault } from './faults.ts'

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** SQLSTATE classes: connection, resources, operator intervention, system. */
const AWAY_STATES = /^(08|53|57|58)/
/** Lost races that a retry settles. */
const LOST_RACES = /^(40001|40P01|55P03)$/

/** Whether the database (or what a fault stands for) is away, rather than the request or the code wrong. */
export function isAway(error: unknown): boolean {
  if (error instanceof InjectedFault) return true
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (code && (SYSTEM_CODES.has(code) || AWAY_STATES.test(code))) return true
  return /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** Whether the same request may well succeed a little later. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || LOST_RACES.test((error as { code?: string } | undefined)?.code ?? '')
}

/** Work on a few rows that runs into other writes is done again this often. */
const ATTEMPTS = 4

/** Again when the work waited in a circle with other writes, or another made a row it meant to make. It writes all or nothing. */
export async function untilUndisturbed<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if ((code !== '23505' && !LOST_RACES.test(code)) || attempt === ATTEMPTS) throw error
    }
  }
}
