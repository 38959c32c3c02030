/** C-LIMIT-19: how often a block may be shown, and what has to be remembered for that. */
import { WEEK_MS } from './limits.ts'
import type { Block, Config, Frequency } from './types.ts'

/** Moments of being shown by instance, oldest first, milliseconds. */
export type ShownTimes = Readonly<Record<string, readonly number[]>>

/** Instances remembered; the one shown longest ago is forgotten first. */
const REMEMBERED = 500

/** The block's own frequency; a popup without one has the default. undefined: as often as wished. */
export function frequencyOf(block: Block, config: Config | undefined): Frequency | undefined {
  if (config?.features['frequency_caps'] === false) return undefined
  return block.frequency ?? (block.designType === 'popup' ? config?.popupDefaultFrequency : undefined)
}

export function mayShow({ per, max }: Frequency, moments: readonly number[], now: number, sessionStart: number): boolean {
  return moments.filter((moment) => isInPeriod(per, moment, now, sessionStart)).length < max
}

/** A day is a date of the device's own calendar, a week seven times 24 hours. */
function isInPeriod(per: Frequency['per'], moment: number, now: number, sessionStart: number): boolean {
  if (per === 'session') return moment >= sessionStart
  if (per === 'day') return new Date(moment).toDateString() === new Date(now).toDateString()
  return per === 'ever' || moment > now - WEEK_MS
}

/** No more moments of an instance are kept than its frequency counts. */
export function noteShown(shown: ShownTimes, instanceId: string, { max }: Frequency, now: number): ShownTimes {
  const { [instanceId]: moments = [], ...others } = shown
  const entries = Object.entries(others)
  return {
    ...Object.fromEntries(entries.slice(1 - REMEMBERED)),
    [instanceId]: [...moments, now].slice(-Math.max(max, 1)),
  }
}
