/** Advisory locks of the whole installation, in one place so that no two have the same number. */

/** With a workspace: of whoever adds its events up, and of whoever erases some: what is being counted cannot go meanwhile. */
export const COUNTING_LOCK = 7_301_004
/** Held while a partition is made. */
export const PARTITION_LOCK = 7_301_003
/** Held while the first account is opened. */
export const SIGN_UP_LOCK = 7_200_101
/** Held while tables are spread over the machines of a cluster. */
export const DISTRIBUTION_LOCK = 7_301_006

/**
 * The order in which a transaction locks rows that others lock too, in the whole server: who holds one of these
 * takes only later ones. What has a head is locked by its head.
 */
export const LOCK_ORDER = ['catalog', 'settings', 'content', 'segments', 'device', 'person', 'size'] as const
export type Lock = (typeof LOCK_ORDER)[number]
