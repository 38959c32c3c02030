export { campaignsWork } from './due-campaigns.ts'
