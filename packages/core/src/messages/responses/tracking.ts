/** Whose openings and clicks are counted: what the workspace chose, and what the person said. */
import type { Json } from '../../blocks/field.ts'
import { isPlainObject } from '../../blocks/field.ts'
import type { Parsed } from '../../blocks/definition.ts'

/**
 * - `off`: nobody's.
 * - `agreed`: of people who said yes to the topic `message_tracking`.
 * - `unless_refused`: of everybody who did not say no to it. Whether a law allows that is for the workspace to know.
 */
export const TRACKING_MODES = ['off', 'agreed', 'unless_refused'] as const
export type TrackingMode = (typeof TRACKING_MODES)[number]
/** `trap`: whether mails have a link that nobody sees, by which scanners give themselves away. */
export type MessageTracking = { opens: TrackingMode; clicks: TrackingMode; trap: boolean }

/** The topic of consent by which people agree to it, or refuse. */
export const TRACKING_TOPIC = 'message_tracking'

/** Of a workspace that chose nothing. */
const DEFAULT: MessageTracking = { opens: 'agreed', clicks: 'agreed', trap: false }

/** What is stored holds what was chosen; null is a workspace that chose nothing. */
export function messageTracking(stored: Partial<MessageTracking> | null): MessageTracking {
  return { ...DEFAULT, ...stored }
}

/** `said`: what the person said to the topic; null when they said nothing. */
export function isTracked(mode: TrackingMode, said: boolean | null): boolean {
  if (mode === 'off') return false
  return mode === 'agreed' ? said === true : said !== false
}

export function readMessageTracking(input: Json): Parsed<MessageTracking> {
  const { opens, clicks, trap = false } = isPlainObject(input) ? input : {}
  const modeOf = (value: Json | undefined) => TRACKING_MODES.find((mode) => mode === value)
  const [ofOpens, ofClicks] = [modeOf(opens), modeOf(clicks)]
  if (!ofOpens || !ofClicks)
    return { ok: false, error: `must be {opens, clicks, trap}, opens and clicks each one of ${TRACKING_MODES.join(', ')}` }
  if (typeof trap !== 'boolean') return { ok: false, error: 'trap must be true or false' }
  return { ok: true, value: { opens: ofOpens, clicks: ofClicks, trap } }
}
