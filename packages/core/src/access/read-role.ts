/** Reading what somebody writes of a role. */
import { isPermission, type Permission } from './permissions.ts'
import { LIMIT_NAMES, type LimitName, type Limits } from './allows.ts'

type Read<T> = { ok: true; value: T } | { ok: false; error: string }
const MOST_NAMES = 500
const LONGEST_NAME = 200
const ENVIRONMENTS = new Set(['live', 'test'])

/** Each once, in order. */
export function readPermissions(sent: unknown): Read<Permission[]> {
  if (!Array.isArray(sent)) return { ok: false, error: 'permissions must be a list of names' }
  const unknown = sent.find((each) => !isPermission(each))
  if (unknown !== undefined) return { ok: false, error: `permissions: ${short(unknown)} is none; GET /access/permissions lists them` }
  return { ok: true, value: [...new Set(sent as Permission[])].sort() }
}

/** Left out: no limits. */
export function readLimits(sent: unknown): Read<Limits> {
  if (sent === undefined) return { ok: true, value: {} }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return { ok: false, error: 'limits must be an object' }
  const limits: Partial<Record<LimitName, string[]>> = {}
  for (const [name, names] of Object.entries(sent)) {
    if (!isLimitName(name)) return { ok: false, error: `limits.${short(name)} is no limit: there are ${LIMIT_NAMES.join(', ')}` }
    const fault = faultOfNames(name, names)
    if (fault) return { ok: false, error: `limits.${name} ${fault}` }
    limits[name] = [...new Set(names as string[])].sort()
  }
  return { ok: true, value: limits }
}

function isLimitName(name: string): name is LimitName {
  return (LIMIT_NAMES as readonly string[]).includes(name)
}

function faultOfNames(name: LimitName, names: unknown): string | undefined {
  const isName = (each: unknown) => typeof each === 'string' && each !== '' && each.length <= LONGEST_NAME && !each.includes('\0')
  if (!Array.isArray(names) || names.length > MOST_NAMES || !names.every(isName))
    return `must be a list of at most ${MOST_NAMES} names of 1 to ${LONGEST_NAME} characters`
  if (name === 'environments' && !names.every((each) => ENVIRONMENTS.has(each as string))) return 'must name live or test'
  return undefined
}

const short = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 60)
