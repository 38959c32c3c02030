/** Which system wins where several say something of one person (M-PRIO, G-49). */
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject } from '../blocks/field.ts'

/** Higher wins. */
export const DEFAULT_PRIORITIES = {
  crm_webhook: 100,
  loyalty_api: 90,
  erp_sync: 80,
  manual_api: 70,
  csv_upload: 50,
  analytics: 40,
} as const
export type ImportSource = keyof typeof DEFAULT_PRIORITIES
export type Priorities = Record<ImportSource, number>
export const SOURCES = Object.keys(DEFAULT_PRIORITIES) as ImportSource[]

/** What a load can say it is (M-ENR-07), the one it is when it says nothing first. `analytics` is the roll-up alone. */
export const LOADED_SOURCES = ['csv_upload', 'crm_webhook', 'erp_sync', 'loyalty_api', 'manual_api'] as const satisfies ImportSource[]
export type LoadedSource = (typeof LOADED_SOURCES)[number]

const MOST = 1000

/** M-PRIO-05 to M-PRIO-10: all that is set from now on; what is left out goes by its default. */
export function readOverrides(sent: unknown): Parsed<Partial<Priorities>> {
  if (!isPlainObject(sent)) return { ok: false, error: 'priorities must be an object: {"csv_upload": 120}' }
  for (const [source, priority] of Object.entries(sent)) {
    if (!Object.hasOwn(DEFAULT_PRIORITIES, source)) return { ok: false, error: `priorities: the sources are ${SOURCES.join(', ')}` }
    if (typeof priority !== 'number' || !(priority >= 0 && priority <= MOST))
      return { ok: false, error: `priorities.${source} must be a number from 0 to ${MOST}` }
  }
  return { ok: true, value: sent }
}

export function prioritiesWith(overrides: Partial<Priorities>): Priorities {
  return { ...DEFAULT_PRIORITIES, ...overrides }
}
