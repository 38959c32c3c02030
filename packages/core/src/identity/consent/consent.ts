import type { Parsed } from '../../blocks/definition.ts'
import { isPlainObject } from '../../blocks/field.ts'

/** C-CONS-02. */
export const CHANNELS = ['push', 'sms', 'whatsapp', 'email', 'inApp', 'marketing', 'locationTracking'] as const
export type Channel = (typeof CHANNELS)[number]
/** Decided flags only: one that is missing was never asked, which is no consent (C-CONS-04). */
export type Channels = Partial<Record<Channel, boolean>>

/** M-SUPP-02: what suppression switches off. In-app messages and location are left as they were. */
export const SUPPRESSED_CHANNELS = ['marketing', 'push', 'sms', 'whatsapp', 'email'] as const satisfies readonly Channel[]

/** A person's flags; `saved` is what unsuppress restores, null while the person is not suppressed. */
export type ChannelState = { channels: Channels; saved: Channels | null }

/** One value that changed. `channel` is `saved:<flag>` for a decision that waits for unsuppress. Null: never asked. */
export type ConsentChange = { channel: string; oldValue: boolean | null; newValue: boolean | null }

/** Reads the flags of a body; unknown names are ignored (G-23). */
export function readChannels(input: unknown): Parsed<Channels> {
  if (!isPlainObject(input)) return { ok: false, error: 'channels must be an object' }
  const channels: Channels = {}
  for (const channel of CHANNELS) {
    const value = Object.hasOwn(input, channel) ? input[channel] : undefined
    if (value === undefined) continue
    if (typeof value !== 'boolean') return { ok: false, error: `channels.${channel} must be a boolean` }
    channels[channel] = value
  }
  return { ok: true, value: channels }
}

/** C-CONS-03, A-29: what is decided lies over what was; while suppressed the five suppressed flags stay off and the decision waits. */
export function decideChannels({ channels, saved }: ChannelState, decided: Channels): ChannelState {
  if (saved === null) return { channels: { ...channels, ...decided }, saved }
  const [now, later]: [Channels, Channels] = [{ ...channels }, { ...saved }]
  for (const channel of CHANNELS) {
    const value = decided[channel]
    if (value !== undefined) (isSuppressible(channel) ? later : now)[channel] = value
  }
  return { channels: now, saved: later }
}

/** M-SUPP-02 to M-SUPP-05: undefined when the person is suppressed already. */
export function suppress({ channels, saved }: ChannelState): ChannelState | undefined {
  if (saved !== null) return undefined
  const before: Channels = {}
  const after: Channels = { ...channels }
  for (const channel of SUPPRESSED_CHANNELS) {
    const value = channels[channel]
    if (value !== undefined) before[channel] = value
    after[channel] = false
  }
  return { channels: after, saved: before }
}

/** M-SUPP-06 to M-SUPP-09: each flag its own saved value, never asked included. Undefined for a person who is not suppressed. */
export function unsuppress({ channels, saved }: ChannelState): ChannelState | undefined {
  if (saved === null) return undefined
  const after: Channels = { ...channels }
  for (const channel of SUPPRESSED_CHANNELS) {
    const value = saved[channel]
    if (value === undefined) delete after[channel]
    else after[channel] = value
  }
  return { channels: after, saved: null }
}

/** What the ledger has to say of the step from one state to the next. */
export function consentChanges(before: ChannelState, after: ChannelState): ConsentChange[] {
  return [...flagChanges('', before.channels, after.channels), ...flagChanges('saved:', before.saved ?? {}, after.saved ?? {})]
}

function flagChanges(prefix: string, before: Channels, after: Channels): ConsentChange[] {
  return CHANNELS.filter((channel) => before[channel] !== after[channel]).map((channel) => ({
    channel: prefix + channel,
    oldValue: before[channel] ?? null,
    newValue: after[channel] ?? null,
  }))
}

function isSuppressible(channel: Channel): boolean {
  return (SUPPRESSED_CHANNELS as readonly Channel[]).includes(channel)
}
