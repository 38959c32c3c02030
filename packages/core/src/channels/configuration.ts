/** Configurations of channels as they are sent, stored and shown (G-59). */
import { cutText } from '../cut-text.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import type { Configuration, Member } from './channel.ts'
import { describe, type ProviderName } from './providers.ts'
import { smtpServer } from './smtp.ts'
import { CONTROLS, readMailbox } from './senders.ts'

/** Stands for a secret wherever a configuration is shown; sent back it keeps what is stored. */
export const MASK = '********'

const [TEXT_LENGTH, PEM_LENGTH] = [2_000, 10_000]

/** What is wrong with which member (`serviceAccount.private_key`; '' is the whole), for forms that say it in their own words. */
export type ConfigurationFault = { member: string; kind: FaultKind; from?: number; to?: number }
/** `again`: a secret whose address changed. `together`: members that need each other. `form`: not as its example. */
export type FaultKind = 'missing' | 'again' | 'together' | 'object' | 'number' | 'long' | 'lines' | 'sender' | 'address' | 'form'

export type ReadConfiguration = { ok: true; configuration: Configuration } | { ok: false; error: string; fault: ConfigurationFault }

/** Thrown inside this file only; `at` is the path of the member. */
class Fault extends Error {
  readonly fault: ConfigurationFault

  constructor(at: string, kind: FaultKind, says: string, bounds: { from?: number; to?: number } = {}) {
    super(`${at} ${says}`)
    this.fault = { member: at.split('.').slice(1).join('.'), kind, ...bounds }
  }
}

/**
 * What is sent, laid over what is stored: members left out stay, null takes one away, the mask keeps a secret (M-CHAN-08).
 * A secret stays only where it was meant to be sent: with another address it is entered anew, or whoever may change the
 * address could have it sent to themselves. Members that are not the provider's are dropped.
 */
export function readConfiguration(provider: ProviderName, sent: Json, stored: Configuration = {}): ReadConfiguration {
  return attempt(() => mergeConfiguration(describe(provider), sent, stored))
}

/**
 * What a document declares: all members that are not secret, laid over the secrets that are stored. Secrets that are there
 * stay where they were meant to be sent, others may be lacking, and a document that holds one is refused.
 */
export function declareConfiguration(provider: ProviderName, declared: Json, stored: Configuration = {}): ReadConfiguration {
  const { members, faultOf } = describe(provider)
  const secrets = Object.fromEntries(members.flatMap(({ name }) => (isSecret(name) ? [[name, MASK]] : [])))
  return attempt(() => {
    const sent = pickDeclared(members, declared, 'configuration')
    return mergeConfiguration(
      // What members lack together is a fault when no secret would mend it.
      { members: members.map(withSecretsLater), faultOf: (made) => faultOf?.(made) && faultOf({ ...made, ...secrets }) },
      sent,
      stored,
    )
  })
}

/** What is stored, with masks for its secrets, judged as a whole: one that a document made lacks them. */
export function readStored(provider: ProviderName, stored: Configuration): ReadConfiguration {
  return readConfiguration(provider, stored, stored)
}

/** Without its secrets, in the order of the provider's members. */
export function withoutSecrets(provider: ProviderName, configuration: Configuration): Configuration {
  return pick(describe(provider).members, configuration)
}

type Described = Pick<ReturnType<typeof describe>, 'members' | 'faultOf'>

function mergeConfiguration({ members, faultOf }: Described, sent: Json, stored: Configuration): Configuration {
  const configuration = readMembers(members, sent, stored, 'configuration')
  const lack = faultOf?.(configuration)
  if (lack !== undefined) {
    const [member = '', ...says] = lack.split(' ')
    throw new Fault(`configuration.${member}`, 'together', says.join(' '))
  }
  const [before, now] = [flatten(stored), flatten(configuration)]
  const moved = [...now.keys()].concat([...before.keys()]).find((path) => isAddress(path) && before.get(path) !== now.get(path))
  const kept = [...now].find(
    ([path, value]) => isSecret(path) && !isAddress(path) && before.get(path) === value && !isNewlySent(sent, path),
  )
  if (before.size > 0 && moved !== undefined && kept !== undefined)
    throw new Fault(`configuration.${kept[0]}`, 'again', `must be sent again, because ${moved} changes`)
  return configuration
}

function attempt(read: () => Configuration): ReadConfiguration {
  try {
    return { ok: true, configuration: read() }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, error: error.message, fault: error.fault }
    throw error
  }
}

/** A member that is left out goes, where of a request it would stay. */
function pickDeclared(members: readonly Member[], declared: Json, path: string): JsonObject {
  if (!isPlainObject(declared)) throw new Fault(path, 'object', 'must be an object')
  const held = Object.keys(declared).find((name) => isSecret(name))
  if (held !== undefined) throw new Fault(`${path}.${cutText(held, 100)}`, 'form', 'is secret, and no document holds it')
  const unknown = Object.keys(declared).find((name) => !members.some((member) => member.name === name))
  if (unknown !== undefined) throw new Fault(`${path}.${cutText(unknown, 100)}`, 'form', 'is not a member of this provider')
  const open = members.filter(({ name }) => !isSecret(name))
  return Object.fromEntries(
    open.map(({ name, members: inner }) => {
      const value = declared[name] ?? null
      return [name, inner && value !== null ? pickDeclared(inner, value, `${path}.${name}`) : value]
    }),
  )
}

function withSecretsLater({ isRequired, members, ...member }: Member): Member {
  if (isSecret(member.name)) return member
  return { ...member, ...(isRequired && { isRequired }), ...(members && { members: members.map(withSecretsLater) }) }
}

function pick(members: readonly Member[], configuration: Configuration): Configuration {
  return Object.fromEntries(
    members.flatMap(({ name, members: inner = [] }) => {
      const value = configuration[name]
      if (value === undefined || isSecret(name)) return []
      return [[name, typeof value === 'object' ? (pick(inner, value) as { [member: string]: string }) : value]]
    }),
  )
}

/** Every secret, at any depth, as the mask. */
export function masked(configuration: Configuration): Configuration {
  return mapTexts(configuration, (path, text) => (isSecret(path) ? MASK : text))
}

/** What may be stored as it is, and the secrets by their paths. */
export function split(configuration: Configuration): { open: Configuration; secrets: Record<string, string> } {
  const secrets = [...flatten(configuration)].filter(([path]) => isSecret(path))
  return { open: masked(configuration), secrets: Object.fromEntries(secrets.map(([path, value]) => [path, String(value)])) }
}

export function join(open: Configuration, secrets: Record<string, string>): Configuration {
  const known = new Map(Object.entries(secrets))
  return mapTexts(open, (path, text) => known.get(path) ?? text)
}

/** The addresses that are called for it, for the guard: each with the member that names it. */
export function addressesOf(provider: ProviderName, configuration: Configuration): { member: string; url: string }[] {
  const found = [...flatten(configuration)].filter(([path]) => isAddress(path))
  return found.map(([path, value]) => ({
    member: path,
    url: provider === 'smtp' ? smtpAddress(configuration) : String(value),
  }))
}

/** The SMTP server as an address, because the guard of outgoing calls judges addresses. */
function smtpAddress(configuration: Configuration): string {
  const { host, port } = smtpServer(configuration)
  return `http://${host}:${port}/`
}

function isAddress(path: string): boolean {
  return /^(baseUrl|host|serviceAccount\.token_uri)$/.test(path)
}

/** Whether a member is a secret, by the last name of its path. */
export function isSecret(path: string): boolean {
  const name = path.split('.').at(-1) ?? ''
  return /key|secret|token|password|private/i.test(name) && name !== 'publicKey'
}

function isNewlySent(sent: Json | undefined, path: string): boolean {
  const value = path
    .split('.')
    .reduce<Json | undefined>((found, name) => (found !== undefined && isPlainObject(found) ? found[name] : undefined), sent)
  return typeof value === 'string' && value !== MASK
}

function flatten(configuration: Configuration): Map<string, string | number | boolean> {
  const found = new Map<string, string | number | boolean>()
  for (const [name, value] of Object.entries(configuration))
    if (typeof value !== 'object') found.set(name, value)
    else for (const [inner, text] of Object.entries(value)) found.set(`${name}.${inner}`, text)
  return found
}

function mapTexts(configuration: Configuration, change: (path: string, text: string) => string): Configuration {
  const entries = Object.entries(configuration).map(([name, value]) => {
    if (typeof value === 'string') return [name, change(name, value)] as const
    if (typeof value !== 'object') return [name, value] as const
    return [name, Object.fromEntries(Object.entries(value).map(([inner, text]) => [inner, change(`${name}.${inner}`, text)]))] as const
  })
  return Object.fromEntries(entries)
}

// --- reading one member ---

function readMembers(members: readonly Member[], sent: Json, stored: Configuration, path: string): Configuration {
  const given = objectIn(sent)
  if (given === undefined) throw new Fault(path, 'object', 'must be an object')
  const read = members.flatMap((member): [string, Configuration[string]][] => {
    const at = `${path}.${member.name}`
    const before = stored[member.name]
    const value = given[member.name]
    const now = value === undefined ? before : value === null || value === '' ? undefined : readMember(member, value, before, at)
    if (now === undefined && member.isRequired) throw new Fault(at, 'missing', 'is missing')
    return now === undefined ? [] : [[member.name, now]]
  })
  return Object.fromEntries(read)
}

/** An account may be sent as the text of its file. */
function objectIn(sent: Json): { [member: string]: Json } | undefined {
  if (isPlainObject(sent)) return sent
  if (typeof sent !== 'string') return undefined
  try {
    const parsed = JSON.parse(sent) as Json
    return isPlainObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function readMember(member: Member, value: Json, before: Configuration[string] | undefined, at: string): Configuration[string] {
  if (value === MASK && isSecret(member.name)) {
    if (before === undefined) throw new Fault(at, 'missing', 'is not stored yet: send it')
    return before
  }
  switch (member.kind) {
    case 'boolean':
      if (typeof value !== 'boolean') throw new Fault(at, 'form', 'must be true or false')
      return value
    case 'number':
      return readNumber(member, value, at)
    case 'object':
      return readMembers(member.members ?? [], value, typeof before === 'object' ? before : {}, at) as { [member: string]: string }
    case 'text':
    case 'pem':
    case 'sender':
    case 'address':
      return readText(member, value, at)
    default:
      return member.kind satisfies never
  }
}

function readNumber({ from = 0, to = Number.MAX_SAFE_INTEGER }: Member, value: Json, at: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < from || value > to)
    throw new Fault(at, 'number', `must be a whole number from ${from} to ${to}`, { from, to })
  return value
}

function readText({ kind, choices, pattern }: Member, value: Json, at: string): string {
  if (typeof value !== 'string') throw new Fault(at, 'form', 'must be a text')
  const longest = kind === 'pem' ? PEM_LENGTH : TEXT_LENGTH
  if (value.length > longest) throw new Fault(at, 'long', `must have at most ${longest} characters`, { to: longest })
  if (kind !== 'pem' && CONTROLS.test(value)) throw new Fault(at, 'lines', 'must not hold line breaks or other control characters')
  if (value.includes('\u0000')) throw new Fault(at, 'lines', 'must not hold a null character')
  if (kind === 'sender' && !readMailbox(value)) throw new Fault(at, 'sender', 'must be an address, or a name with the address in < >')
  if (kind === 'address' && !/^https?:\/\/[^\s?#]+$/i.test(value))
    throw new Fault(at, 'address', 'must begin with http:// or https:// and have no ? and no #')
  if (choices && !choices.includes(value)) throw new Fault(at, 'form', `must be one of ${choices.join(', ')}`)
  if (pattern && !pattern.of.test(value)) throw new Fault(at, 'form', pattern.says)
  return value
}
