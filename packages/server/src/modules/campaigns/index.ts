export { campaignsWork } from './due-campaigns.ts'
export { listCampaignsHolding } from './queries-pictures.ts'
