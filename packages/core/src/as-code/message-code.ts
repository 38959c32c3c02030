/** Journeys and campaigns as a document holds them: what people write of them. How far they are is not in it. */
import { cutText } from '../cut-text.ts'
import { BLANK, faultOf, IN_APP, SEND_CHANNELS, withChanges, type Campaign } from '../campaigns/campaign.ts'
import { readCampaign } from '../campaigns/read-campaign.ts'
import type { Definition, Parsed } from '../blocks/definition.ts'
import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { listSteps, type Journey } from '../journeys/journey.ts'
import { readJourney } from '../journeys/read-journey.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'

/**
 * Named by their ids: their names may be the same, and what was sent and counted goes by the id. `incomplete`: a draft to which
 * something is missing.
 */
export type JourneyCode = { id: string; incomplete?: true } & Journey
export type CampaignCode = { id: string } & Campaign

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })
const JOURNEY_MEMBERS = ['name', 'trigger', 'steps', 'goal', 'entry', 'exitOn', 'incomplete']
const ID = /^[\w-]{1,40}$/
const ID_FORM = 'id must be 1 to 40 letters, digits, _ and -'

export function readJourneyCode({ id, ...entry }: JsonObject, isRegexValid: RegexCheck): Parsed<JourneyCode> {
  const unknown = Object.keys(entry).find((name) => !JOURNEY_MEMBERS.includes(name))
  if (unknown !== undefined) return no(`${cutText(unknown, 100)} is not a member of a journey; it takes id, ${JOURNEY_MEMBERS.join(', ')}`)
  if (typeof id !== 'string' || !ID.test(id)) return no(ID_FORM)
  const { incomplete = false } = entry
  if (typeof incomplete !== 'boolean') return no('incomplete must be true or false')
  const read = readJourney(entry, { isNew: true, isRegexValid, newId: () => '', mayBeIncomplete: incomplete })
  if (!read.ok) return read
  const journey = { goal: null, ...(read.value as Omit<Journey, 'goal'>) }
  // An id that is made anew each time would be another step each time.
  if (listSteps(journey.steps).some((step) => step.id === '')) return no('each step needs an id')
  // One that is complete is so, whatever the document says.
  return { ok: true, value: { id, ...journey, ...(read.problems.length > 0 && { incomplete: true as const }) } }
}

export function readCampaignCode({ id, ...entry }: JsonObject, day?: string): Parsed<CampaignCode> {
  if (typeof id !== 'string' || !ID.test(id)) return no(ID_FORM)
  const read = readCampaign(entry, { isNew: true, day })
  if (!read.ok) return no(read.error)
  const start = read.value.schedule?.startTime
  if (start === undefined || !isPlainObject(entry['schedule'])) return no('schedule.startTime is required')
  const campaign = withChanges({ ...BLANK, name: '', type: '' }, read.value, start)
  const fault = faultOf(campaign)
  return fault === undefined ? { ok: true, value: { id, ...campaign } } : no(fault)
}

export function triggerFault(segments: readonly { name: string }[]): (journey: JourneyCode) => string | undefined {
  const names = new Set(segments.map(({ name }) => name))
  return ({ id, trigger }) => {
    if (trigger.type !== 'segment_entry' || names.has(trigger.segment) || trigger.segment.trim() === '') return undefined
    return `journey ${JSON.stringify(id)}: trigger.segment: there is no segment with the name ${JSON.stringify(trigger.segment)}`
  }
}

export function channelsFault(blocks: readonly Definition[]): (campaign: CampaignCode) => string | undefined {
  const usable = new Set<string>([...SEND_CHANNELS, IN_APP, ...blocks.filter(({ inCampaigns }) => inCampaigns).map(({ key }) => key)])
  return ({ id, dispatchChannels }) => {
    const unusable = dispatchChannels.find((channel) => !usable.has(channel))
    if (unusable === undefined) return undefined
    return `campaign ${JSON.stringify(id)}: dispatchChannels: ${JSON.stringify(unusable)} is no channel, and no block type that campaigns may use`
  }
}
