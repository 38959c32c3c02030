/** Whether a person may be reached over a channel, and if not, the strongest reason. */
import { SUPPRESSED_CHANNELS, type Channel, type Channels } from '@contentflow/core/identity/consent/consent.ts'

export type Block = 'optedOut' | 'suppressed' | 'refused' | 'neverAsked' | 'noDevice' | 'noPhone' | 'noEmail'
/** The person did not refuse; there is only no address to send to. */
export function isAddressMissingOnly(block: Block | undefined): boolean {
  return block === 'noDevice' || block === 'noPhone' || block === 'noEmail'
}

/** What is known of the person that decides about sending. */
export type Reachable = {
  channels: Channels
  personalOptOut: boolean
  suppressed: boolean
  email: string | null
  phone: string | null
  hasPush: boolean
}

/** C-CONS-05: what a personal opt-out blocks whatever else was agreed to. */
const OUTBOUND: ReadonlySet<Channel> = new Set(['push', 'sms', 'whatsapp', 'email'])

/** Undefined: nothing is in the way. */
export function blockOf(channel: Channel, person: Reachable): Block | undefined {
  const { channels, personalOptOut, suppressed } = person
  if (personalOptOut && OUTBOUND.has(channel)) return 'optedOut'
  if (suppressed && (SUPPRESSED_CHANNELS as readonly Channel[]).includes(channel)) return 'suppressed'
  const agreed = channels[channel]
  // C-CONS-04: only a decided yes is a yes.
  if (agreed !== true) return agreed === false ? 'refused' : 'neverAsked'
  return addressMissing(channel, person)
}

function addressMissing(channel: Channel, { email, phone, hasPush }: Reachable): Block | undefined {
  if (channel === 'push' && !hasPush) return 'noDevice'
  if (channel === 'email' && email === null) return 'noEmail'
  if ((channel === 'sms' || channel === 'whatsapp') && phone === null) return 'noPhone'
  return undefined
}
