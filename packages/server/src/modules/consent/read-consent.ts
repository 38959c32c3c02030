import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { CHANNELS, readChannels, type Channels } from '@contentflow/core/identity/consent/consent.ts'
import { PRESETS } from '@contentflow/core/identity/consent/presets.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { fail, failWith } from '../../errors.ts'

/** A checked decision. What is undefined stays as it was. */
export type Decision = {
  userId: string | undefined
  channels: Channels
  preset: string | undefined
  topics: Record<string, boolean>
  requiredConsents: Record<string, boolean>
  personalOptOut: boolean | undefined
}

const ANSWER_ID = /^[A-Za-z0-9_.-]{1,64}$/
/** Topics, and required consents, of one person. */
export const ANSWERS = 100

/** C-CONS-06 to C-CONS-08, G-23. `isFull`: the body of /consent/full. */
export function readDecision(body: Record<string, unknown>, isFull: boolean): Decision {
  if (CHANNELS.some((channel) => Object.hasOwn(body, channel)) || !isPlainObject(body['channels'])) fail('CHANNELS_REQUIRED')
  const channels = readChannels(body['channels'])
  if (!channels.ok) failWith(400, channels.error)
  const plain = { userId: readUserId(body), channels: channels.value }
  if (!isFull) return { ...plain, preset: undefined, topics: {}, requiredConsents: {}, personalOptOut: undefined }
  const { preset = null, personalOptOut = null } = body
  if (preset !== null && (typeof preset !== 'string' || !PRESETS.has(preset)))
    failWith(400, `preset must be one of ${[...PRESETS.keys()].join(', ')}`)
  if (personalOptOut !== null && typeof personalOptOut !== 'boolean') failWith(400, 'personalOptOut must be a boolean')
  return {
    ...plain,
    preset: preset ?? undefined,
    topics: readAnswers(body, 'topics'),
    requiredConsents: readAnswers(body, 'requiredConsents'),
    personalOptOut: personalOptOut ?? undefined,
  }
}

/** The user a body names; undefined for none. */
export function readUserId({ userId = null }: Record<string, unknown>): string | undefined {
  if (userId === null) return undefined
  if (typeof userId !== 'string' || userId === '' || userId.length > LIMITS.userIdLength)
    failWith(400, `userId must be a string of 1 to ${LIMITS.userIdLength} characters`)
  return userId
}

function readAnswers(body: Record<string, unknown>, member: 'topics' | 'requiredConsents'): Record<string, boolean> {
  const sent = body[member] ?? {}
  if (!isPlainObject(sent)) failWith(400, `${member} must be an object of booleans`)
  const entries = Object.entries(sent)
  if (entries.length > ANSWERS) failWith(400, `${member} must have at most ${ANSWERS} members`)
  for (const [id, value] of entries) {
    if (!ANSWER_ID.test(id)) failWith(400, `${member} has an id that is not 1 to 64 letters, digits, _, - or .`)
    if (typeof value !== 'boolean') failWith(400, `${member}.${id} must be a boolean`)
  }
  return Object.fromEntries(entries) as Record<string, boolean>
}
