/**
 * Topics of messages, about which people decide one by one (decision 74). Their answers stand among their other consents: `news`
 * for all channels, and `news.email` where they said something else for one of them.
 */
import { CHANNEL_TYPES, type ChannelType } from '../../channels/channel.ts'
import { cutText } from '../../cut-text.ts'

/** What holds of somebody who never answered: they get it, or they do not. */
export const TOPIC_MODES = ['opt_out', 'opt_in'] as const
export type TopicMode = (typeof TOPIC_MODES)[number]

/** By language. */
export type TopicTexts = { [locale: string]: string }
export type Topic = {
  id: string
  names: TopicTexts
  descriptions: TopicTexts
  channels: ChannelType[]
  mode: TopicMode
  position: number
}
/** What decides whether somebody gets a message about it. */
export type JudgedTopic = Pick<Topic, 'id' | 'mode'>
/** The answers of a person, by topic or by topic and channel. */
type Answers = Readonly<Record<string, boolean>>

/** The name of the answer for one channel alone. */
export function answerOf(topic: string, channel: ChannelType): string {
  return `${topic}.${channel}`
}

/** Whether a person wants messages about a topic over a channel: what they said for it, else for all channels, else what the topic presumes. */
export function wantsTopic(answers: Answers, { id, mode }: JudgedTopic, channel: ChannelType): boolean {
  return said(answers, answerOf(id, channel)) ?? said(answers, id) ?? mode === 'opt_out'
}

function said(answers: Answers, id: string): boolean | undefined {
  return Object.hasOwn(answers, id) ? answers[id] : undefined
}

/**
 * The answers after somebody chose for these channels of a topic. One answer for the topic where it was the same for all channels
 * that the topic has; else one for each channel they chose for, so that nothing is said of one they were not asked about.
 */
export function answersWith(answers: Answers, topic: Pick<Topic, 'id' | 'channels'>, chosen: ReadonlyMap<ChannelType, boolean>): Answers {
  const after = new Map(Object.entries(answers))
  const values = new Set(chosen.values())
  const isWhole = topic.channels.every((channel) => chosen.has(channel))
  if (chosen.size === 0) return answers
  if (isWhole && values.size === 1) {
    for (const channel of CHANNEL_TYPES) after.delete(answerOf(topic.id, channel))
    after.set(topic.id, values.has(true))
  } else for (const [channel, value] of chosen) after.set(answerOf(topic.id, channel), value)
  return Object.fromEntries(after)
}

/** Why a message over these channels cannot be about this topic; undefined: it can. `at`: the path of the member that names it. */
export function topicFault(
  topics: readonly Pick<Topic, 'id' | 'channels'>[],
  { topic, channels, at }: { topic: string; channels: readonly string[]; at: string },
): string | undefined {
  const known = topics.find(({ id }) => id === topic)
  if (!known) return `${at}: there is no topic ${JSON.stringify(cutText(topic, 100))}`
  const other = channels.find((channel) => !(known.channels as readonly string[]).includes(channel))
  return other === undefined ? undefined : `${at}: the topic ${JSON.stringify(topic)} is not sent over ${other}`
}
