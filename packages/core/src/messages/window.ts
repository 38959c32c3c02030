import type { ChannelType } from '../channels/channel.ts'

/** Everything a message can go out through; in-app messages wait for the person instead. */
export type SendChannel = ChannelType | 'in_app'

/** G-71. Minutes; degrees. */
export type PrayerBlackout = { enabled: boolean; latitude: number; longitude: number; minutesBefore: number; minutesAfter: number }

/** `22:30`. */
export type QuietHours = { from: string; to: string }

/** When messages may leave. Moments as ISO texts; `quietHours` by the clock of `timezone`, over midnight too. */
export type SendWindow = {
  startTime?: string
  endTime?: string | null
  timezone?: string
  prayerBlackout?: PrayerBlackout
  quietHours?: QuietHours
}
