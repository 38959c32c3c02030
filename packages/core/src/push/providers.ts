import { looksLikeSubscription } from '../channels/web-push/subscription.ts'

/** The providers that carry push messages to installations; each token belongs to one of them (G-28). */
export const PUSH_PROVIDERS = ['apns', 'fcm', 'hms', 'web_push'] as const
export type PushProvider = (typeof PUSH_PROVIDERS)[number]

/**
 * The provider whose channel carries a token, whatever was said of it: a subscription of a browser goes to web push and to
 * nobody else, and what else was registered under that name goes nowhere, such as a token of FCM for the web (decision 67).
 */
export function carrierOf({ token, provider }: { token: string; provider: string }): string | undefined {
  if (looksLikeSubscription(token)) return 'web_push'
  return provider === 'web_push' ? undefined : provider
}

/** The provider of a token that names none, by platform. */
export const DEFAULT_PUSH_PROVIDER = { ios: 'apns', android: 'fcm', web: 'web_push' } as const
