/**
 * Channels as a document holds them: by which provider, in which order, how it is called. A document never holds a secret,
 * and does not say whether a channel is on. One that is there keeps its secrets, and is on or off as it was. A new one has
 * none, so it is off: they are entered in the dashboard or by the API, and then it can be switched on.
 */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import type { JsonObject } from '../blocks/field.ts'
import type { Configuration } from '../channels/channel.ts'
import { declareConfiguration, readStored } from '../channels/configuration.ts'
import { PROVIDERS, type ProviderName } from '../channels/providers.ts'
import { LIMITS } from '../limits.ts'

/** Named by its id: names may repeat, of channels with one priority the lowest id sends, and callbacks hold it. */
export type ChannelCode = { id: string; provider: ProviderName; name: string; priority: number; configuration: Configuration }

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

export function readChannelCode({
  id,
  provider: sent,
  name,
  priority = 0,
  configuration = {},
  ...others
}: JsonObject): Parsed<ChannelCode> {
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined)
    return no(`${cutText(unknown, 100)} is not a member of a channel; it takes id, provider, name, priority, configuration`)
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) return no('id must be 1 to 40 letters, digits, _ and -')
  const provider = PROVIDERS.find((each) => each === sent)
  if (!provider) return no(`provider must be one of ${PROVIDERS.join(', ')}`)
  if (typeof name !== 'string' || name === '' || name.length > LIMITS.channelNameLength)
    return no(`name must be a string of 1 to ${LIMITS.channelNameLength} characters`)
  const most = LIMITS.channelPriority
  if (typeof priority !== 'number' || !Number.isInteger(priority) || Math.abs(priority) > most)
    return no(`priority must be a whole number from ${-most} to ${most}`)
  const read = declareConfiguration(provider, configuration)
  return read.ok ? { ok: true, value: { id, provider, name, priority, configuration: read.configuration } } : no(read.error)
}

/**
 * What is stored of it then, secrets as masks (`stored` has them so): those that are there stay. Or why it cannot be:
 * another provider, another address, which the secrets were not meant for, or one that has all it needs would lack some.
 */
export function overStored(
  { id, provider, configuration }: ChannelCode,
  stored: { provider: ProviderName; configuration: Configuration } | undefined,
): Parsed<Configuration> {
  const where = `channel ${JSON.stringify(id)}`
  if (stored && stored.provider !== provider) return no(`${where}: its provider is ${stored.provider}, which stays`)
  const declared = declareConfiguration(provider, configuration, stored?.configuration)
  const isComplete = stored !== undefined && readStored(provider, stored.configuration).ok
  const read = declared.ok && isComplete ? readStored(provider, declared.configuration) : declared
  if (read.ok) return { ok: true, value: read.configuration }
  const isOfSecrets = read.fault.kind === 'again' || (isComplete && read.fault.kind === 'together')
  return no(`${where}: ${read.error}${isOfSecrets ? ', in the dashboard or by the API' : ''}`)
}
