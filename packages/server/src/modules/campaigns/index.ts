export { campaignsWork } from './due-campaigns.ts'
export { updateLaunch } from './queries.ts'
export { applyCampaigns, listCampaignCode } from './apply-campaigns.ts'
