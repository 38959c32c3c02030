/** What a change of somebody's second factors makes stale. */
export const SECOND_FACTORS = ['/auth/second-factor', '/auth/passkeys', '/auth/sessions']
