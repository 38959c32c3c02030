/** The server's answers about campaigns. */
import type {
  Campaign,
  CampaignEdit,
  CampaignEvent,
  CampaignExplanation,
  CampaignPreview,
  CampaignReport,
  CampaignStatistics,
  CampaignTest,
} from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'

export type {
  Campaign,
  CampaignEdit,
  CampaignEvent,
  CampaignExplanation,
  CampaignPreview,
  CampaignReport,
  CampaignStatistics,
  CampaignTest,
}
export type Status = Campaign['status']

/** Paths whose data any change here makes stale. */
export const STALE = ['/campaigns', '/reviews', '/content/overview', '/sends']

export function campaignApi(id: string): string {
  return `/campaigns/${encodeURIComponent(id)}`
}

/** The page of a campaign. */
export function campaignPath(workspaceId: string, id = ''): string {
  return `/w/${workspaceId}/campaigns${id && `/${id}`}`
}

/** While it is live or about to be, its state moves by itself. */
export function useCampaign(id: string) {
  return useRead<Campaign>(campaignApi(id), {}, { every: 15_000 })
}
