/** What a workspace's own server is told of (M-HOOK-03 to M-HOOK-09). Content is not among it (C-STREAM-13). */

type OfCampaign = { campaignId: string; name: string; type: string }

/** By event, what its `data` holds besides who did it. */
export type WebhookData = {
  'campaign.status_changed': OfCampaign & { from: string; to: string; reason?: string }
  'campaign.submitted_for_review': OfCampaign & { status: string }
  'campaign.approved': OfCampaign & { status: string; note?: string }
  'campaign.rejected': OfCampaign & { status: string; note: string }
  'journey.status_changed': { journeyId: string; name: string; from: string; to: string }
}
export type WebhookEvent = keyof WebhookData

export const WEBHOOK_EVENTS = [
  'campaign.status_changed',
  'campaign.submitted_for_review',
  'campaign.approved',
  'campaign.rejected',
  'journey.status_changed',
] as const satisfies WebhookEvent[]

/** Nobody subscribes to it: it is sent when somebody tries an endpoint. */
export const PING = 'webhook.ping'
