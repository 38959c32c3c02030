/** The events that are sent to a workspace's own server (M-HOOK-03 to M-HOOK-09). Changes of content are not among them (C-STREAM-13). */

import type { AuditEntry, SignedCheckpoint } from '../audit/entry.ts'

type OfExperiment = { experimentId: string; name: string; subject: string; subjectId: string; run: number }
type OfCampaign = { campaignId: string; name: string; type: string }

/** What the `data` of each event holds, besides who did it. */
export type WebhookData = {
  'campaign.status_changed': OfCampaign & { from: string; to: string; reason?: string }
  'campaign.submitted_for_review': OfCampaign & { status: string }
  'campaign.approved': OfCampaign & { status: string; note?: string }
  'campaign.rejected': OfCampaign & { status: string; note: string }
  'journey.status_changed': { journeyId: string; name: string; from: string; to: string }
  /** The one planned reading; `best` is better than `than` when it is clear. */
  'experiment.reading_taken': OfExperiment & { isClear: boolean; best?: string; than?: string }
  'experiment.sample_ratio_mismatch': OfExperiment & { p: number }
  /** The variant that leads harms this type of event more than `than` does. */
  'experiment.guardrail_harmed': OfExperiment & { event: string; mustNot: string; variant: string; than: string }
  /** New entries of the audit log, each as a line of an export, in their order and without a gap. */
  'audit.entries': { entries: { entry: AuditEntry; hash: string; prev: string }[] }
  'audit.checkpoint': SignedCheckpoint
}
export type WebhookEvent = keyof WebhookData

const EVENTS = {
  'campaign.status_changed': true,
  'campaign.submitted_for_review': true,
  'campaign.approved': true,
  'campaign.rejected': true,
  'journey.status_changed': true,
  'experiment.reading_taken': true,
  'experiment.sample_ratio_mismatch': true,
  'experiment.guardrail_harmed': true,
  'audit.entries': true,
  'audit.checkpoint': true,
} satisfies Record<WebhookEvent, true>
export const WEBHOOK_EVENTS = Object.keys(EVENTS) as WebhookEvent[]
/** What is proposed for a new endpoint: changes that people made. The others are chosen one by one. */
export const PROPOSED_EVENTS = WEBHOOK_EVENTS.filter((event) => !event.startsWith('experiment.') && !isOfAudit(event))

/** Whether it tells of the audit log, which only who may read that sees. */
export function isOfAudit(event: string): boolean {
  return event.startsWith('audit.')
}

/** Sent to the endpoint that a step of a journey names; no endpoint subscribes to it. */
export const JOURNEY_STEP = 'journey.step'
/** What is told of a step. `userId`: null of somebody anonymous, who has a `deviceId`. Members that the step names follow. */
export type JourneyStepData = {
  journeyId: string
  stepId: string
  runId: string
  userId: string | null
  deviceId?: string | null
  event?: object
}

/** Sent when a member tries an endpoint; no endpoint subscribes to it. */
export const PING = 'webhook.ping'
