/** The bootstrap file, read strictly: what is wrong stops the start with where it is and what is expected, before anything is applied. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isPlainObject, type Json, type JsonObject } from '@contentflow/core/blocks/field.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { DeclaredChannel } from '../channels/index.ts'
import { keyTextFault, type DeclaredMember, type DeclaredPlan } from '../workspaces/index.ts'
import { bootstrapFault, type BootstrapFile, type WorkspaceEntry } from './present-bootstrap.ts'

type Config = Context['config']
type KeyEntry = NonNullable<WorkspaceEntry['keys']>[number]
export type ReadKey = Pick<KeyEntry, 'name' | 'kind' | 'environment' | 'writeTo'> & { text?: string }

/** As the file says, with its secrets. `at`: where in the file. */
export type ReadWorkspace = {
  at: string
  id: string
  name: string
  sourceLocale?: string | null
  members: DeclaredMember[]
  keys: ReadKey[] | undefined
  plan: DeclaredPlan | undefined
  channels: DeclaredChannel[] | undefined
  document: unknown
}

/** What is wrong, beginning with where it stands in the file. */
export class BootstrapFault extends Error {
  /** Says of which file it is, and what of the file was applied before. */
  tell(path: string, applied: readonly string[]): void {
    const rest = applied.length === 0 ? 'Nothing of it was applied' : `Applied: ${applied.join(', ')}; nothing else of it`
    this.message = `CF_BOOTSTRAP ${path}: ${this.message}. ${rest}`
  }
}

/** Where secrets of others may stand. */
type Source = { folder: string; environment: Config['environment'] }

export function readBootstrap({ bootstrap: path, environment }: Config): ReadWorkspace[] {
  try {
    const file = readJson(path)
    const fault = bootstrapFault(file)
    if (fault !== undefined) throw new BootstrapFault(fault)
    const source = { folder: dirname(resolve(path)), environment }
    const workspaces = (file as BootstrapFile).workspaces.map((entry, at) => readWorkspace(entry, `workspaces[${at}]`, source))
    refuseTwice(workspaces, ({ at, id }) => [`${at}.id`, id])
    sharePasswords(workspaces)
    return workspaces
  } catch (error) {
    if (error instanceof BootstrapFault) error.tell(path, [])
    throw error
  }
}

function readWorkspace(entry: WorkspaceEntry, at: string, source: Source): ReadWorkspace {
  const { id, name, sourceLocale, plan } = entry
  const members = entry.members.map(({ password, ...member }, index) => {
    const text = password === undefined ? undefined : readPassword(password, `${at}.members[${index}].password`, source)
    return { ...member, ...(text !== undefined && { password: text }) }
  })
  refuseTwice(members, ({ email }, index) => [`${at}.members[${index}].email`, foldEmail(email)])
  if (!members.some(({ role }) => role === 'admin')) throw new BootstrapFault(`${at}.members names no admin, and a workspace needs one`)
  const keys = entry.keys?.map((key, index) => readKey(id, key, `${at}.keys[${index}]`, source))
  refuseTwice(keys ?? [], (key, index) => [`${at}.keys[${index}].name`, key.name])
  const channels = entry.channels?.map((channel, index) => {
    const where = `${at}.channels[${index}].configuration`
    return { ...channel, configuration: readSecrets(channel.configuration as JsonObject, where, source) as JsonObject }
  })
  refuseTwice(channels ?? [], (channel, index) => [`${at}.channels[${index}].id`, channel.id])
  const document = typeof entry.document === 'string' ? readDocument(entry.document, at, source) : entry.document
  if (channels && isPlainObject(document) && document['channels'] !== undefined)
    throw new BootstrapFault(`${at}.document names channels, which stand in ${at}.channels: leave them out of one of the two`)
  return {
    at,
    id,
    name,
    ...(sourceLocale !== undefined && { sourceLocale }),
    members,
    keys,
    plan,
    channels,
    document,
  }
}

/** One account may be a member of several workspaces; its password is said once. */
function sharePasswords(workspaces: readonly ReadWorkspace[]): void {
  const members = workspaces.flatMap((workspace) => workspace.members)
  const known = new Map(members.flatMap((member) => (member.password === undefined ? [] : [[foldEmail(member.email), member] as const])))
  for (const member of members) {
    const said = known.get(foldEmail(member.email))
    if (member.password === undefined && said?.password !== undefined) member.password = said.password
    if (member.name === undefined && said?.name !== undefined) member.name = said.name
  }
}

type SecretText = NonNullable<KeyEntry['key']>

function readPassword(sent: SecretText, at: string, source: Source): string {
  const text = readSecret(sent, at, source)
  if (text.length < LIMITS.passwordMinLength || text.length > 200)
    throw new BootstrapFault(`${at} must be of ${LIMITS.passwordMinLength} to 200 characters`)
  return text
}

function readKey(workspaceId: string, { key, writeTo, ...named }: KeyEntry, at: string, source: Source): ReadKey {
  if ((named.kind === 'write' || named.kind === 'read') && named.environment !== 'live')
    throw new BootstrapFault(`${at}.environment must be live: ${named.kind} keys are of live`)
  if ((key === undefined) === (writeTo === undefined)) throw new BootstrapFault(`${at} must have either key or writeTo`)
  if (key === undefined || writeTo !== undefined) return { ...named, ...(writeTo && { writeTo: resolve(source.folder, writeTo) }) }
  const text = readSecret(key, `${at}.key`, source)
  const fault = keyTextFault(workspaceId, named, text)
  if (fault !== undefined) throw new BootstrapFault(`${at}.key ${fault}`)
  return { ...named, text }
}

/** In every place of a configuration. */
function readSecrets(value: Json, at: string, source: Source): Json {
  if (typeof value === 'string' || isReference(value)) return readSecret(value, at, source)
  if (Array.isArray(value)) return value.map((each, index) => readSecrets(each, `${at}[${index}]`, source))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readSecrets(each, `${at}.${name}`, source)]))
}

function isReference(value: Json): value is { file: string } {
  return isPlainObject(value) && Object.keys(value).length === 1 && typeof value['file'] === 'string'
}

/** The text itself, what the environment holds, or what a file holds without the line's end that editors put there. */
function readSecret(sent: SecretText, at: string, { folder, environment }: Source): string {
  if (typeof sent !== 'string') return readText(resolve(folder, sent.file), `${at}.file`).replace(/\r?\n$/, '')
  const name = /^\$\{(\w+)\}$/.exec(sent)?.[1]
  if (name === undefined) return sent
  const text = environment(name)
  if (text === undefined || text === '') throw new BootstrapFault(`${at} is of the environment, which has no ${name}`)
  return text
}

function readDocument(path: string, at: string, { folder }: Source): unknown {
  const file = resolve(folder, path)
  try {
    return JSON.parse(readText(file, `${at}.document`))
  } catch (error) {
    if (error instanceof SyntaxError) throw new BootstrapFault(`${at}.document: ${file} is not JSON: ${error.message}`)
    throw error
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path, 'the file'))
  } catch (error) {
    // What JSON says of a fault may hold a part of the file, and so of a secret.
    if (error instanceof SyntaxError)
      throw new BootstrapFault(`the file is not JSON${/ at position \d+( \(line \d+ column \d+\))?/.exec(error.message)?.[0] ?? ''}`)
    throw error
  }
}

function readText(file: string, at: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BootstrapFault(`${at} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'} ${file}`)
  }
}

function refuseTwice<T>(items: readonly T[], nameOf: (item: T, index: number) => [at: string, name: string]): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const [at, name] = nameOf(item, index)
    if (seen.has(name)) throw new BootstrapFault(`${at} stands there twice`)
    seen.add(name)
  }
}
