import type { Campaign } from '@contentflow/core/campaigns/campaign.ts'

export type Mailed = Partial<Pick<Campaign, 'mail' | 'dispatchChannels'>>

/** Whether everything that is sent is the mail of sections, so that no texts are needed. */
export function isMailAlone({ mail, dispatchChannels = [] }: Mailed): boolean {
  return mail !== undefined && dispatchChannels.length > 0 && dispatchChannels.every((channel) => channel === 'email')
}
