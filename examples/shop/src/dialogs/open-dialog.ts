/** Which dialog a person asked for. */
export type OpenDialog = 'consent' | 'sign-in' | undefined
