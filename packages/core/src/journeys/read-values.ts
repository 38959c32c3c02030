/** What the readers of a journey share: values, and what is said of those that are wrong or missing. */
import { cutText } from '../cut-text.ts'
import { isTimeZone } from '../calendar/workspace-calendar.ts'
import { isPlainObject, textLength, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { isTraitKey } from '../targeting/fields.ts'
import type { Problem, ProblemCode } from './journey.ts'

export class Fault extends Error {}
export function fault(message: string): never {
  throw new Fault(message)
}

/** Collects what is missing; undefined: nothing may be. */
export type Gaps = Problem[] | undefined

/** Refuses what is missing, or notes it. */
export function missing(gaps: Gaps, path: string, message: string, code: ProblemCode = 'missing'): void {
  if (!gaps) fault(message)
  if (gaps.length < LIMITS.journeyProblems) gaps.push({ path, code, message })
}

/** Where what is not known would be lost: a filter fewer takes more people. Elsewhere unknown members are ignored (G-13). */
export function object(at: string, value: unknown, names: readonly string[]): JsonObject {
  if (!isPlainObject(value)) fault(`${at} must be an object`)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  return unknown === undefined ? value : fault(`${at}: ${shown(unknown)} is not known; it takes ${names.join(', ')}`)
}

export function oneOf<T extends string>(at: string, value: unknown, choices: readonly T[]): T {
  return (choices as readonly unknown[]).includes(value) ? (value as T) : fault(`${at} must be one of ${choices.join(', ')}`)
}

export function text(at: string, value: unknown, most: number, gaps?: Gaps): string {
  const message = `${at} must be a text of 1 to ${most} characters`
  const sent = isNothing(value) ? '' : value
  if (typeof sent !== 'string' || textLength(sent) > most) fault(message)
  if (sent.trim() === '') missing(gaps, at, message)
  return sent
}

export type Range = { min: number; max: number }

export function integer(at: string, value: unknown, { min, max }: Range, gaps?: Gaps): number {
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return isRight ? value : noNumber(gaps, at, value, `${at} must be a whole number from ${min} to ${max}`)
}

export function degrees(at: string, value: unknown, { min, max, why }: Range & { why?: string }, gaps: Gaps): number {
  const isRight = typeof value === 'number' && value >= min && value <= max
  const message = `${at} must be a number of degrees, ${min} to ${max}${why === undefined ? '' : `; ${why}`}`
  return isRight ? value : noNumber(gaps, at, value, message)
}

/** One that is wrong is refused also where one may be missing. */
function noNumber(gaps: Gaps, at: string, value: unknown, message: string): number {
  if (!isNothing(value)) fault(message)
  missing(gaps, at, message)
  return Number.NaN
}

export function traitKey(at: string, value: unknown, gaps: Gaps): string {
  if (typeof value === 'string' && isTraitKey(value)) return value
  const message = `${at} must name a trait: 1 to 64 letters, digits and _`
  if (!isNothing(value) && value !== '') fault(message)
  missing(gaps, at, message)
  return ''
}

export function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

export function zone(at: string, value: unknown): string {
  return isTimeZone(value) ? value : fault(`${at} must be an IANA time zone such as Asia/Riyadh`)
}

export function shown(name: string): string {
  return JSON.stringify(cutText(name, 100))
}
