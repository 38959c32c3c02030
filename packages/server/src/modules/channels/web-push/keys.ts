/** The keys by which push services know a workspace again (RFC 8292): made here, or brought along. */
import { createECDH } from 'node:crypto'
import { textOf, type Configuration } from '@contentflow/core/channels/channel.ts'
import type { ProviderName } from '@contentflow/core/channels/providers.ts'
import type { Db } from '../../../db/open.ts'
import { failWith, refusalWith } from '../../../errors.ts'
import { countSubscriptions, dropSubscriptions } from './queries-subscriptions.ts'
import { listSending, type ChannelRow } from '../queries.ts'

const CURVE = 'prime256v1'

/** A channel of web push gets keys when it is saved without (decision 67). 400 where a public key is not that of the private one. */
export function withKeys(provider: ProviderName, configuration: Configuration): Configuration {
  if (provider !== 'web_push') return configuration
  const [publicKey, privateKey] = [textOf(configuration, 'publicKey'), textOf(configuration, 'privateKey')]
  if (publicKey === '' && privateKey === '') return { ...configuration, ...makeKeys() }
  if (publicOf(privateKey) !== publicKey) failWith(400, 'configuration.publicKey is not the public key of privateKey')
  return configuration
}

export function lacksKeys({ provider, configuration }: Pick<ChannelRow, 'provider' | 'configuration'>): boolean {
  return provider === 'web_push' && textOf(configuration, 'publicKey') === '' && textOf(configuration, 'privateKey') === ''
}

function makeKeys(): { publicKey: string; privateKey: string } {
  const ecdh = createECDH(CURVE)
  const publicKey = ecdh.generateKeys('base64url')
  // Without its leading zeros it would be shorter than others expect.
  return {
    publicKey,
    privateKey: Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
      .subarray(-32)
      .toString('base64url'),
  }
}

/** Undefined: it is no private key of the curve. */
function publicOf(privateKey: string): string | undefined {
  try {
    const ecdh = createECDH(CURVE)
    ecdh.setPrivateKey(privateKey, 'base64url')
    return ecdh.getPublicKey('base64url')
  } catch {
    return undefined
  }
}

/**
 * Browsers that subscribed with the key that goes are never reached again: 409 with their number, unless that is wanted. They
 * go then, and subscribe anew when the page is opened. `before`: as it is stored.
 */
export async function replaceKeys(tx: Db, before: ChannelRow, publicKey: string, isWanted: boolean): Promise<void> {
  const { workspace_id: workspaceId, provider, configuration, id } = before
  const stored = textOf(configuration, 'publicKey')
  if (provider !== 'web_push' || stored === '' || stored === publicKey) return
  if ((await findWebPush(tx, workspaceId))?.id !== id) return
  const subscriptions = await countSubscriptions(tx, workspaceId)
  if (subscriptions === 0) return
  if (!isWanted) throw refusalWith('KEYS_IN_USE', { subscriptions })
  await dropSubscriptions(tx, workspaceId)
}

/** The channel that browsers of this workspace are reached by; undefined where none can be. */
async function findWebPush(db: Db, workspaceId: string): Promise<ChannelRow | undefined> {
  return (await listSending(db, workspaceId, 'push')).find(({ provider }) => provider === 'web_push')
}

/** What browsers subscribe with; null while no channel of web push has keys. */
export async function findWebKey(db: Db, workspaceId: string): Promise<string | null> {
  const channel = await findWebPush(db, workspaceId)
  return (channel && textOf(channel.configuration, 'publicKey')) || null
}
