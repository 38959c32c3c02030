/** What a person decides on the page of their preferences: read from their decisions, and written back to them (decision 74). */
import type { ChannelType } from '../../channels/channel.ts'
import { isTracked, TRACKING_TOPIC, type MessageTracking, type TrackingMode } from '../../messages/responses/tracking.ts'
import { decideChannels, type Channels } from './consent.ts'
import { WEEKLY_LIMITS, type Decisions } from './decisions.ts'
import { answersWith, wantsTopic, type Topic } from './topics.ts'

export type WeeklyLimit = (typeof WEEKLY_LIMITS)[number]
export type ChannelChoice = { channel: ChannelType; wanted: boolean }
export type Preferences = {
  channels: ChannelChoice[]
  /** Those of which anything can reach the person. */
  topics: { id: string; channels: ChannelChoice[] }[]
  /** null: as many as there are. */
  maxMessagesAWeek: WeeklyLimit | null
  /** Whether their openings and clicks may be counted; null: nobody's are, so nothing is asked. */
  tracking: boolean | null
}
/** `reached`: channels the person has a contact for. */
export type Offered = { reached: readonly ChannelType[]; topics: readonly Topic[]; tracking: MessageTracking }

/** While a person is suppressed, what they decided is what waits for its end. */
export function preferencesOf(decisions: Decisions, { reached, topics, tracking }: Offered): Preferences {
  const flags = decisions.saved ?? decisions.channels
  const shown = topics.map((topic) => ({
    id: topic.id,
    channels: reached
      .filter((channel) => topic.channels.includes(channel))
      .map((channel) => ({ channel, wanted: wantsTopic(decisions.topics, topic, channel) })),
  }))
  return {
    channels: reached.map((channel) => ({ channel, wanted: flags[channel] === true })),
    topics: shown.filter(({ channels }) => channels.length > 0),
    maxMessagesAWeek: WEEKLY_LIMITS.find((limit) => limit === decisions.maxMessagesAWeek) ?? null,
    tracking: askedTracking(decisions, tracking),
  }
}

function askedTracking({ topics }: Decisions, { opens, clicks }: MessageTracking): boolean | null {
  const modes = [opens, clicks].filter((mode): mode is Exclude<TrackingMode, 'off'> => mode !== 'off')
  if (modes.length === 0) return null
  const said = Object.hasOwn(topics, TRACKING_TOPIC) ? (topics[TRACKING_TOPIC] ?? null) : null
  return modes.some((mode) => isTracked(mode, said))
}

/** The decisions of somebody who chose this among what was offered; what was not offered stays as it was. */
export function decidePreferences(before: Decisions, offered: Offered, chosen: Preferences): Decisions {
  const flags: Channels = Object.fromEntries(
    chosen.channels.filter(({ channel }) => offered.reached.includes(channel)).map(({ channel, wanted }) => [channel, wanted]),
  )
  let answers = before.topics
  for (const topic of offered.topics) {
    const found = chosen.topics.find(({ id }) => id === topic.id)
    const wanted = (found?.channels ?? []).filter(({ channel }) => offered.reached.includes(channel) && topic.channels.includes(channel))
    answers = answersWith(answers, topic, new Map(wanted.map((each) => [each.channel, each.wanted])))
  }
  if (chosen.tracking !== null) answers = { ...answers, [TRACKING_TOPIC]: chosen.tracking }
  return { ...before, ...decideChannels(before, flags), topics: answers, maxMessagesAWeek: chosen.maxMessagesAWeek }
}

/** Nothing more over any channel that leaves; what is shown inside apps stays. */
export function leaveAll(before: Decisions): Decisions {
  return { ...before, ...decideChannels(before, { marketing: false, push: false, sms: false, whatsapp: false, email: false }) }
}
