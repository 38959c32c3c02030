import type { Campaign } from '@contentflow/core/campaigns/campaign.ts'
import { faultsOfSending, type SendingFault } from '@contentflow/core/messages/unsendable.ts'
import type { Channel } from '@contentflow/server/wire.ts'
import { usePages } from '../../../data.ts'
import { useWebAddress } from '../../settings/web-address/use-web-address.ts'

/** The faults of the draft, by the function that the server uses on submission. */
export function useDraftFaults({ dispatchChannels: channels, content }: Pick<Campaign, 'dispatchChannels' | 'content'>): SendingFault[] {
  const address = useWebAddress().data
  const push = usePages<Channel>('/notifications/channels', 'channels', { limit: 100, type: 'push' }, { when: channels.includes('push') })
  if (!address || push.isLoading) return []
  const pushProviders = push.items.filter(({ active }) => active).map(({ provider }) => provider)
  const faults = faultsOfSending({ channels, content, webAddress: address.url, pushProviders })
  return channels.includes('email') && !address.mailLinks.isConfigured ? [...faults, { code: 'public_url_missing' }] : faults
}
