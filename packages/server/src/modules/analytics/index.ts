/** What the rest of the server may ask of analytics. */
export { EVENT_COUNTS, eventCountsWork } from './count-events.ts'
export { countNoted } from './experiments/count-control.ts'
export { dropDays, keepEvents, retentionWork } from './expire-events.ts'
export { peopleWork } from './roll-up-people.ts'
export { listDays } from './queries-retention.ts'
export { listCampaignCounts, sumRecentCampaigns, type CampaignCounts } from './queries-campaigns.ts'
