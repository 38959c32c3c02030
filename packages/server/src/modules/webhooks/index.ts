export { applyEndpoints, listWebhookCode, refuseAddresses } from './apply-endpoints.ts'
export { enqueueWebhook, WEBHOOKS } from './enqueue.ts'
export { openSender, type Sender } from './send-due.ts'
export { cleanUpWebhooks } from './clean-up.ts'
