/** How large a push message is to its provider, as it is sent. */
import { utf8Length } from '../json/utf8-length.ts'
import type { Message } from './channel.ts'
import { apnsPayload, fcmMessage, hmsMessage } from './push.ts'

/** The same for all three. */
export const PUSH_BYTES = 4_096

/** What each of them counts: FCM what apps are given, APNs all of it, HMS all but the tokens. */
const COUNTED = {
  fcm: (message: Message) => {
    const { notification, data } = fcmMessage(message)
    return { notification, data }
  },
  apns: apnsPayload,
  hms: (message: Message) => ({ ...hmsMessage(message), token: undefined }),
}
export type PushChannelProvider = keyof typeof COUNTED
export const PUSH_CHANNEL_PROVIDERS = Object.keys(COUNTED) as PushChannelProvider[]

export function pushBytes(provider: PushChannelProvider, message: Message): number {
  return utf8Length(JSON.stringify(COUNTED[provider](message)))
}
