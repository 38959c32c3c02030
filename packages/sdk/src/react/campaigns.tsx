import { useMemo, type ReactNode } from 'react'
import { messageBlock } from '@contentflow/core/campaigns/render-item.ts'
import type { Campaign, CampaignContext } from '../campaign-types.ts'
import type { Block as DeliveredBlock } from '../types.ts'
import { Block } from './block.tsx'
import type { DesignType } from './designs/reading/design-block.ts'
import { useCampaigns } from './use-content.ts'

export type CampaignsProps = {
  placement: string
  context?: CampaignContext
  /** How each is drawn; a banner when left out. */
  type?: DesignType
  /** How many are drawn at most, the most important first; 1 when left out. */
  most?: number
}

/** Draws the campaigns of a placement; each counts as seen, pressed and closed for its campaign. Draws nothing when there is none. */
export function Campaigns({ placement, context, type = 'banner', most = 1 }: CampaignsProps): ReactNode {
  const { campaigns } = useCampaigns(placement, context)
  const blocks = useMemo(() => campaigns.slice(0, most).flatMap((campaign) => campaignBlock(campaign) ?? []), [campaigns, most])
  return blocks.map((block) => <Block key={block.instanceId} block={block} type={type} />)
}

/** A campaign as a block, for `<Block block>`, `impression`, `click` and `dismiss`; undefined when it says nothing that a design shows. */
export function campaignBlock({ id, name, content }: Campaign): DeliveredBlock | undefined {
  const shown = messageBlock(content)
  if (!shown) return undefined
  // Without a key, because it is no block of the workspace. By its id the server tells it from an in-app message of the same campaign.
  const head = { key: '', name, screen: '', instanceId: id, version: 1 }
  return { ...head, ...shown, visible: true, source: 'campaign', campaignId: id }
}
