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

const EVENTS = {
  'campaign.status_changed': true,
  'campaign.submitted_for_review': true,
  'campaign.approved': true,
  'campaign.rejected': true,
  'journey.status_changed': true,
} satisfies Record<WebhookEvent, true>
export const WEBHOOK_EVENTS = Object.keys(EVENTS) as WebhookEvent[]

/** Nobody subscribes to it: it is sent when somebody tries an endpoint. */
export const PING = 'webhook.ping'
