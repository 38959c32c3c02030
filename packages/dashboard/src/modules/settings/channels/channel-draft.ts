/** The values in the form of a channel, and those that are sent: members as texts and switches, secrets empty while they stay. */
import type { Json, JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Configuration, Member } from '@contentflow/core/channels/channel.ts'
import { isSecret, readConfiguration, type ConfigurationFault } from '@contentflow/core/channels/configuration.ts'
import { latinDigits } from '../../../ui/fields/read-number.ts'
import { describe, type ProviderName } from '@contentflow/core/channels/providers.ts'

export type Values = Record<string, string | boolean>

export function valuesOf(provider: ProviderName, stored: Configuration = {}): Values {
  return Object.fromEntries(describe(provider).members.map((member) => [member.name, valueOf(member, stored[member.name])]))
}

function valueOf({ name, kind, choices }: Member, stored: Configuration[string] | undefined): string | boolean {
  // Switches are on unless stored otherwise.
  if (kind === 'boolean') return stored !== false
  if (kind === 'object' || isSecret(name) || stored === undefined) return choices?.[0] ?? ''
  return typeof stored === 'object' ? '' : String(stored)
}

/** Only changed members; null removes a member. */
export function changesOf(provider: ProviderName, values: Values, stored: Configuration = {}): JsonObject {
  const initial = valuesOf(provider, stored)
  const changed = describe(provider).members.filter(({ name }) => values[name] !== initial[name])
  const changes: JsonObject = Object.fromEntries(changed.map((member) => [member.name, sentValue(member, values[member.name])]))
  // A password without a name is of no use.
  if (changes['username'] === null && stored['password'] !== undefined) changes['password'] = null
  return changes
}

function sentValue({ kind }: Member, value: string | boolean | undefined): Json {
  if (typeof value !== 'string') return value ?? null
  const text = kind === 'pem' ? value : kind === 'number' ? latinDigits(value.trim()) : value.trim()
  if (text === '') return null
  return kind === 'number' && /^\d+$/.test(text) ? Number(text) : text
}

/** Judged as the server does. */
export function faultOfDraft(provider: ProviderName, changes: JsonObject, stored?: Configuration): ConfigurationFault | undefined {
  const read = readConfiguration(provider, changes, stored)
  return read.ok ? undefined : read.fault
}
