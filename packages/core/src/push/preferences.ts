import { isTimeZone } from '../calendar/workspace-calendar.ts'
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type JsonObject } from '../blocks/field.ts'

/** What a PATCH of push preferences asks for: members to set, and names of members to clear (G-26). */
export type PreferenceChange = { set: JsonObject; cleared: string[] }

const DIGESTS: readonly unknown[] = ['off', 'daily', 'weekly']
const NAMES = ['quietHours', 'respectPrayerTimes', 'urgentOnly', 'digest'] as const

/** C-PUSH-20, C-PUSH-22: only what is sent changes; null clears one; other members are ignored. */
export function readPreferences(body: JsonObject): Parsed<PreferenceChange> {
  const change: PreferenceChange = { set: {}, cleared: [] }
  for (const name of NAMES) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value === undefined) continue
    if (value === null) {
      change.cleared.push(name)
      continue
    }
    const fault = name === 'quietHours' ? quietHoursFault(value) : plainFault(name, value)
    if (fault) return { ok: false, error: fault }
    change.set[name] = name === 'quietHours' ? knownHours(value as JsonObject) : value
  }
  return { ok: true, value: change }
}

function plainFault(name: 'respectPrayerTimes' | 'urgentOnly' | 'digest', value: unknown): string | undefined {
  if (name === 'digest') return DIGESTS.includes(value) ? undefined : `digest must be one of ${DIGESTS.join(', ')}`
  return typeof value === 'boolean' ? undefined : `${name} must be a boolean`
}

function quietHoursFault(value: unknown): string | undefined {
  if (!isPlainObject(value)) return 'quietHours must be an object'
  for (const end of ['start', 'end']) {
    if (!isTimeOfDay(value[end])) return `quietHours.${end} must be a time such as 22:30`
  }
  const { timezone = null } = value
  return timezone === null || isTimeZone(timezone) ? undefined : 'quietHours.timezone must be an IANA time zone such as Asia/Riyadh'
}

function knownHours({ start = null, end = null, timezone = null }: JsonObject): JsonObject {
  return { start, end, ...(timezone !== null && { timezone }) }
}

function isTimeOfDay(value: unknown): boolean {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
}
