/** The client for back ends: on behalf of people by their user id, with keys that no application may hold. Node 20 or newer. */
export {
  createBackend,
  deviceIdOf,
  type Backend,
  type BackendEvent,
  type BackendIdentity,
  type BackendOptions,
  type ReadDevice,
} from './backend.ts'
export { signUserToken, type IdentityKey } from './user-token.ts'
export { verifyWebhook, type WebhookDelivery, type WebhookHeaders, type WebhookOptions } from './webhooks.ts'
export type { Bootstrap, Channels, ContentFlowError } from '../types.ts'
