/** The name of the work that checks journeys. */
export const JOURNEYS = 'journeys'
