/** The providers that carry push messages to installations; each token belongs to one of them (G-28). */
export const PUSH_PROVIDERS = ['apns', 'fcm', 'hms', 'web_push'] as const
export type PushProvider = (typeof PUSH_PROVIDERS)[number]

/** The provider of a token that names none, by platform. */
export const DEFAULT_PUSH_PROVIDER = { ios: 'apns', android: 'fcm', web: 'web_push' } as const
