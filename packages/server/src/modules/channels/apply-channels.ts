import { overStored, type ChannelCode } from '@contentflow/core/as-code/channel-code.ts'
import { addressesOf, withoutSecrets } from '@contentflow/core/channels/configuration.ts'
import type { Configuration } from '@contentflow/core/channels/channel.ts'
import { describe } from '@contentflow/core/channels/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { NEVER_USED, sealSecrets, UNFAILED } from './channels.ts'
import { deleteChannel, insertChannel, listChannels, updateChannel, type ChannelRow } from './queries.ts'

export async function listChannelCode(db: Db, workspaceId: string): Promise<ChannelCode[]> {
  const channels = await listChannels(db, workspaceId)
  return channels.map(({ id, provider, name, priority, configuration }) => {
    return { id, provider, name, priority, configuration: withoutSecrets(provider, configuration) }
  })
}

/** 400 for what cannot be. Asks for names of hosts, so it is done outside of a change; without an error that would tell what there is on this network. */
export async function refuseChannels(ctx: Context, workspaceId: string, channels: readonly ChannelCode[]): Promise<void> {
  const stored = await listChannels(ctx.db, workspaceId)
  for (const channel of channels) {
    const configuration = configurationOf(channel, stored)
    const key = stored.find(({ id }) => id === channel.id)?.configuration['publicKey'] ?? configuration['publicKey']
    if (configuration['publicKey'] !== key)
      failWith(
        400,
        `document: channel ${JSON.stringify(channel.id)}: configuration.publicKey stays: its keys are changed in the channel itself`,
      )
    for (const { member, url } of addressesOf(channel.provider, withoutSecrets(channel.provider, configuration))) {
      const fault = await ctx.outbound.refusalOf(url)
      if (fault !== undefined) failWith(400, `document: channel ${JSON.stringify(channel.id)}: configuration.${member} ${fault}`)
    }
  }
}

/** By their ids. One that is there keeps its secrets, and is on or off as it was; a new one is off, because it has none yet. */
export async function applyChannels(
  ctx: Context,
  { tx, workspaceId, now }: Change,
  { written, deleted }: { written: readonly ChannelCode[]; deleted: readonly string[] },
): Promise<void> {
  for (const id of deleted) await deleteChannel(tx, workspaceId, id)
  const stored = await listChannels(tx, workspaceId)
  if (new Set([...stored, ...written].map(({ id }) => id)).size > LIMITS.channelsPerWorkspace) fail('CHANNEL_LIMIT')
  for (const channel of written) {
    const { id, provider, name, priority } = channel
    const said = { name, priority, configuration: configurationOf(channel, stored), updated_at: now }
    if (stored.some((each) => each.id === id)) {
      await updateChannel(tx, workspaceId, id, { ...said, ...UNFAILED })
      continue
    }
    await insertChannel(tx, {
      ...said,
      ...NEVER_USED,
      workspace_id: workspaceId,
      id,
      provider,
      type: describe(provider).type,
      is_active: false,
      secrets: sealSecrets(ctx, workspaceId, id, {}),
      created_at: now,
    })
  }
}

function configurationOf(channel: ChannelCode, stored: readonly ChannelRow[]): Configuration {
  const laid = overStored(
    channel,
    stored.find(({ id }) => id === channel.id),
  )
  return laid.ok ? laid.value : failWith(400, `document: ${laid.error}`)
}
