export { applyCampaigns, listCampaignCode } from './apply-campaigns.ts'
export { campaignsWork } from './due-campaigns.ts'
export { listCampaignsHolding } from './queries-pictures.ts'
export { getCampaign, updateLaunch } from './queries.ts'
