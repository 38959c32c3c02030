/** Lengths of time as clocks and timers count them. Days of a calendar can be longer or shorter: see `calendar/zoned-time.ts`. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const DAY_SECONDS = 86_400
