import type { Parsed } from '../../blocks/definition.ts'
import { isPlainObject, textLength, type Json, type JsonObject } from '../../blocks/field.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../channels/channel.ts'
import { cutText } from '../../cut-text.ts'
import { LIMITS } from '../../limits.ts'
import { foldTag, languageTag } from '../../locale/language-tag.ts'
import { readTag } from '../../locale/pick-locale.ts'
import { TRACKING_TOPIC } from '../../messages/responses/tracking.ts'
import { TOPIC_MODES, type Topic, type TopicTexts } from './topics.ts'

const MEMBERS = ['id', 'names', 'descriptions', 'channels', 'mode', 'position']
/** Begins with a letter and has no dot, so that no answer to one topic is the answer to another. */
const ID = /^[A-Za-z][\w-]{0,39}$/
const ID_FORM = 'id must be a letter with up to 39 letters, digits, _ and - behind it'

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Reads a topic as members or a document write it; the first fault is returned with its path. */
export function readTopic(sent: JsonObject): Parsed<Topic> {
  const unknown = Object.keys(sent).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined)
    return no(`${JSON.stringify(cutText(unknown, 100))} is not a member of a topic; it takes ${MEMBERS.join(', ')}`)
  const { id, mode = 'opt_out', position = 0 } = sent
  if (typeof id !== 'string' || !ID.test(id) || id === TRACKING_TOPIC) return no(ID_FORM)
  const names = readTexts('names', sent['names'], LIMITS.topicNameLength)
  if (!names.ok) return names
  if (Object.keys(names.value).length === 0) return no('names must have a member for at least one language')
  const descriptions = readTexts('descriptions', sent['descriptions'] ?? {}, LIMITS.topicDescriptionLength)
  if (!descriptions.ok) return descriptions
  const channels = readChannelTypes(sent['channels'])
  if (!channels.ok) return channels
  const known = TOPIC_MODES.find((each) => each === mode)
  if (!known) return no(`mode must be one of ${TOPIC_MODES.join(', ')}`)
  const { min, max } = LIMITS.topicPosition
  if (typeof position !== 'number' || !Number.isInteger(position) || position < min || position > max)
    return no(`position must be a whole number from ${min} to ${max}`)
  return {
    ok: true,
    value: { id, names: names.value, descriptions: descriptions.value, channels: channels.value, mode: known, position },
  }
}

function readTexts(at: string, sent: Json | undefined, most: number): Parsed<TopicTexts> {
  if (!isPlainObject(sent)) return no(`${at} must be an object with a member for each language`)
  const entries = Object.entries(sent)
  if (entries.length > LIMITS.localesPerWorkspace) return no(`${at} has more than ${LIMITS.localesPerWorkspace} languages`)
  const texts = new Map<string, string>()
  const known = new Set<string>()
  for (const [locale, text] of entries) {
    if (readTag(locale) === undefined) return no(`${at}: ${JSON.stringify(cutText(locale, 50))} is not a locale code`)
    if (typeof text !== 'string' || text.trim() === '' || textLength(text) > most)
      return no(`${at}.${locale} must be a text of 1 to ${most} characters`)
    const tag = languageTag(locale)
    if (known.has(foldTag(tag))) return no(`${at} has the language ${tag} twice`)
    known.add(foldTag(tag))
    texts.set(tag, text)
  }
  return { ok: true, value: Object.fromEntries(texts) }
}

function readChannelTypes(sent: Json | undefined): Parsed<ChannelType[]> {
  const wanted = Array.isArray(sent) ? sent : []
  const channels = CHANNEL_TYPES.filter((channel) => wanted.includes(channel))
  if (channels.length === 0 || channels.length < wanted.length)
    return no(`channels must be an array of different ones of ${CHANNEL_TYPES.join(', ')}, at least one`)
  return { ok: true, value: channels }
}
