/** Topics that campaigns and journeys of a document name. */
import { SEND_CHANNELS } from '../campaigns/campaign.ts'
import { topicFault, type Topic } from '../identity/consent/topics.ts'
import { placesOf } from '../journeys/read-events.ts'
import type { CampaignCode, JourneyCode } from './message-code.ts'

export function campaignTopicFault(topics: readonly Topic[]): (campaign: CampaignCode) => string | undefined {
  return ({ id, topic, dispatchChannels }) => {
    if (topic === undefined) return undefined
    const channels = SEND_CHANNELS.filter((channel) => dispatchChannels.includes(channel))
    return topicFault(topics, { topic, channels, at: `campaign ${JSON.stringify(id)}: topic` })
  }
}

export function stepTopicsFault(topics: readonly Topic[]): (journey: JourneyCode) => string | undefined {
  return ({ id, steps }) => {
    const faults = placesOf(steps).map(([at, step]) =>
      step.type === 'send' && step.topic !== undefined
        ? topicFault(topics, { topic: step.topic, channels: [step.channel], at: `journey ${JSON.stringify(id)}: ${at}.topic` })
        : undefined,
    )
    return faults.find((fault) => fault !== undefined)
  }
}
