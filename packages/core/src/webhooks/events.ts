/** The events that are sent to a workspace's own server (M-HOOK-03 to M-HOOK-09). Changes of content are not among them (C-STREAM-13). */

type OfCampaign = { campaignId: string; name: string; type: string }

/** What the `data` of each event holds, besides who did it. */
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

/** Sent when a member tries an endpoint; no endpoint subscribes to it. */
export const PING = 'webhook.ping'
