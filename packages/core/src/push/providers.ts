/** Who carries push messages to installations; a token is of one of them (G-28). */
export const PUSH_PROVIDERS = ['apns', 'fcm', 'hms', 'web_push'] as const
export type PushProvider = (typeof PUSH_PROVIDERS)[number]

/** Whose token it is where nothing else is said. */
export const DEFAULT_PUSH_PROVIDER = { ios: 'apns', android: 'fcm', web: 'web_push' } as const
