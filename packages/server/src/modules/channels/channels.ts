/** Connecting a provider and changing how it is called (M-CHAN, G-59). */
import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '@contentflow/core/blocks/field.ts'
import { textOf, type ChannelType, type Configuration } from '@contentflow/core/channels/channel.ts'
import {
  addressesOf,
  join,
  readConfiguration,
  readStored,
  split,
  type ReadConfiguration,
} from '@contentflow/core/channels/configuration.ts'
import { describe, type ProviderName } from '@contentflow/core/channels/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor, Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import * as queries from './queries.ts'
import type { ChannelRow } from './queries.ts'
import { signingKeyFault } from './signing-key.ts'
import { lacksKeys, replaceKeys, withKeys } from './web-push/keys.ts'

export type ChannelInput = {
  type: ChannelType
  provider: ProviderName
  name: string
  configuration: unknown
  priority?: number
  active?: boolean
  /** Of web push: browsers that subscribed with other keys may be lost. */
  replaceKeys?: boolean
}

export async function createChannel(ctx: Context, by: Actor, input: ChannelInput): Promise<ChannelRow> {
  const { type, provider, priority = 0, active = true } = input
  const fitting = describe(provider).type
  if (fitting !== type) failWith(400, `provider ${provider} is of type ${fitting}`)
  const configuration = await checkConfiguration(ctx, provider, input.configuration as Json)
  return ctx.change(by, (change) => connect(ctx, change, { ...input, id: uuidv7(change.now.getTime()), priority, active }, configuration))
}

type NewChannel = Pick<ChannelInput, 'provider' | 'name'> & { id: string; priority: number; active: boolean }

/** As part of a change; the configuration has been checked. */
async function connect(ctx: Context, change: Change, channel: NewChannel, configuration: Configuration): Promise<ChannelRow> {
  const { tx, workspaceId, now } = change
  const { id, provider, name, priority, active } = channel
  const { type } = describe(provider)
  if ((await queries.countChannels(tx, workspaceId)) >= LIMITS.channelsPerWorkspace) fail('CHANNEL_LIMIT')
  const row = {
    workspace_id: workspaceId,
    id,
    type,
    provider,
    name,
    priority,
    is_active: active,
    ...store(ctx, workspaceId, id, configuration),
    created_at: now,
    updated_at: now,
    ...NEVER_USED,
  }
  await queries.insertChannel(tx, row)
  change.audited('channel', id, undefined, { type, provider, name, priority, active })
  return row
}

/** A channel that stands in a file, by its id. */
export type DeclaredChannel = Pick<ChannelInput, 'provider' | 'name' | 'priority' | 'active'> & { id: string; configuration: JsonObject }

/** Refuses a configuration that cannot be, or that would call what may not be called. Not inside of a change: it asks for names of hosts. */
export async function refuseDeclared(ctx: Context, workspaceId: string, { id, provider, configuration }: DeclaredChannel): Promise<void> {
  const stored = (await queries.listChannels(ctx.db, workspaceId)).find((each) => each.id === id)
  await checkConfiguration(ctx, provider, configuration, stored?.provider === provider ? open(ctx, stored) : undefined)
}

/** Makes a channel, or changes what of it is said otherwise. Nothing is written of one that is as it is declared. */
export async function declareChannel(ctx: Context, change: Change, declared: DeclaredChannel): Promise<void> {
  const { id, provider, name, priority = 0, active = true, configuration } = declared
  const stored = (await queries.listChannels(change.tx, change.workspaceId)).find((each) => each.id === id)
  if (!stored) {
    await connect(ctx, change, { id, provider, name, priority, active }, mergeOrRefuse(provider, configuration))
    return
  }
  if (stored.provider !== provider) failWith(400, `provider is ${stored.provider}, which stays: connect another channel, with another id`)
  const before = open(ctx, stored)
  const isSame = isDeepStrictEqual(mergeOrRefuse(provider, configuration, before), before)
  if (isSame && stored.name === name && stored.priority === priority && stored.is_active === active) return
  await changeIn(ctx, change, id, { name, priority, active, ...(!isSame && { configuration }) })
}

/** Members left out stay, also those of the configuration. A channel keeps its type and its provider. */
export async function changeChannel(ctx: Context, by: Actor, before: ChannelRow, input: Partial<ChannelInput>): Promise<ChannelRow> {
  const { type = before.type, provider = before.provider } = input
  if (type !== before.type || provider !== before.provider)
    failWith(400, `A channel keeps its type and provider, which are ${before.type} and ${before.provider}: connect another one`)
  // What is wrong with it is found before it is anybody's turn; what is stored may be another by then.
  if (input.configuration !== undefined) await checkConfiguration(ctx, provider, input.configuration as Json, open(ctx, before))
  return ctx.change(by, (change) => changeIn(ctx, change, before.id, input))
}

/** As part of a change; the addresses of the configuration have been checked. */
async function changeIn(ctx: Context, own: Change, id: string, input: Partial<ChannelInput>): Promise<ChannelRow> {
  const { tx, workspaceId, now } = own
  const stored = await queries.lockChannel(tx, workspaceId, id)
  const { provider } = stored
  // One that a document made without keys gets them when it is switched on.
  const sent = input.configuration ?? (input.active === true && lacksKeys(stored) ? {} : undefined)
  const configuration = sent === undefined ? undefined : mergeOrRefuse(provider, sent as Json, open(ctx, stored))
  if (configuration) await replaceKeys(tx, stored, textOf(configuration, 'publicKey'), input.replaceKeys === true)
  const change = {
    name: input.name ?? stored.name,
    priority: input.priority ?? stored.priority,
    is_active: input.active ?? stored.is_active,
    ...(configuration && store(ctx, workspaceId, id, configuration)),
    updated_at: now,
    ...UNFAILED,
  }
  const changed = { ...stored, ...change }
  if (input.active === true) orRefuse(readStored(provider, changed.configuration))
  await queries.updateChannel(tx, workspaceId, id, change)
  own.audited('channel', id, stored, changed)
  return changed
}

/** What failed with a channel as it was is tried again at once. */
const UNHEARD = { gone_in_a_row: 0, gone_since: null, bounced_in_a_row: 0, bounced_since: null }
export const UNFAILED = { failed_in_a_row: 0, paused_at: null, failure: null, failed_at: null, ...UNHEARD }
export const NEVER_USED = { ...UNFAILED, sent_at: null }

/** The configuration with its secrets: for the provider, never for an answer. */
export function open(ctx: Pick<Context, 'secrets'>, { workspace_id, id, configuration, secrets }: ChannelRow): Configuration {
  return join(configuration, JSON.parse(ctx.secrets.open(secrets, placeOf(workspace_id, id))) as Record<string, string>)
}

/** Where the secrets of a channel stand: they can be read there only. */
export function placeOf(workspaceId: string, id: string) {
  return { workspaceId, row: `channels/${id}` }
}

function store(ctx: Context, workspaceId: string, id: string, whole: Configuration) {
  const { open: configuration, secrets } = split(whole)
  return { configuration, secrets: sealSecrets(ctx, workspaceId, id, secrets) }
}

/** Seals secrets, given by the paths of their members. */
export function sealSecrets({ secrets: sealing }: Context, workspaceId: string, id: string, secrets: Record<string, string>): string {
  return sealing.seal(JSON.stringify(secrets), placeOf(workspaceId, id))
}

/** Also whether its addresses may be called; without an error that would tell what there is on this network. */
async function checkConfiguration(ctx: Context, provider: ProviderName, sent: Json, stored?: Configuration): Promise<Configuration> {
  const configuration = mergeOrRefuse(provider, sent, stored)
  const keyFault = signingKeyFault(textOf(configuration, 'dkimPrivateKey'))
  if (keyFault !== undefined) failWith(400, `configuration.dkimPrivateKey ${keyFault}`)
  for (const { member, url } of addressesOf(provider, configuration)) {
    const fault = await ctx.outbound.refusalOf(url)
    if (fault !== undefined) failWith(400, `configuration.${member} ${fault}`)
  }
  return configuration
}

function mergeOrRefuse(provider: ProviderName, sent: Json, stored?: Configuration): Configuration {
  return withKeys(provider, orRefuse(readConfiguration(provider, sent, stored)))
}

function orRefuse(read: ReadConfiguration): Configuration {
  return read.ok ? read.configuration : failWith(400, read.error)
}
