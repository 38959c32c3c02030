/**
 * How long the core waits and how much it holds; durations are milliseconds. They stand in a file of their own because the build then
 * puts each into its place: names of numbers would count for the size of the core.
 */

/** Waits after failures grow from 1 to 2 seconds up to at most 5 minutes (C-ERR-27). */
export const RETRY_FIRST_MS = 1_000
export const RETRY_MOST_MS = 300_000
/** `Retry-After` asks for at most an hour. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000

/** While a stream tells of changes, polling finds only what no signal is sent for; texts never have one (C-STREAM-11). */
export const SLOW_POLL_MS = 300_000
/** A server that asks for more requests than this is not obeyed. */
export const FASTEST_POLL_MS = 1_000

/** Events wait this long for more of them. */
export const GATHER_MS = 2_000
/** The device record lives 24 hours (C-DEV-02); this leaves half a day without a connection. */
export const RENEW_MS = 12 * 3_600_000
/** Attempts in a row after which an event that nothing passes is in the way of a person who leaves: about a minute. */
export const GIVE_UP = 5

/** The server writes something every 15 seconds (C-STREAM-03); two of these missing, and a little time for the way, is silence. */
export const SILENCE_MS = 35_000
/** A stream that lived this long was a good one: the next attempt counts as the first. */
export const GOOD_STREAM_MS = 60_000

/** After this time without an answer a request has failed. */
export const TIMEOUT_MS = 30_000
/** Browsers finish a request of a page that closes when its body is smaller than 64 kB. */
export const KEEPALIVE_LENGTH = 20_000
/** Timers of browsers count at most 2^31 ms; waking up for nothing once a day costs nothing. */
export const LONGEST_TIMER_MS = 86_400_000

export const WEEK_MS = 604_800_000
/** Sights remembered; with more than these all are forgotten. */
export const MOST_SIGHTS = 5_000
/** Arguments of texts inside each other. */
export const DEPTH = 16

/** The capabilities of this SDK (C-VER-06). */
export const CAPABILITIES = 'erasure-partial-v1, frequency-v1'
/** C-BLK-22. */
export const MESSAGE_KEY = 'journey_message'
