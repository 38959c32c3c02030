/** Locks that several processes take: advisory locks, each until its transaction ends, and the order of row locks. */
import { sql, type Kysely } from 'kysely'
import type { Database } from './schema.ts'

type Tx = Kysely<Database>

/** Numbers of advisory locks; no two are the same. */
const SIGN_UP = 7_200_101
const PARTITION = 7_301_003
const COUNTING = 7_301_004
const DISTRIBUTION = 7_301_006

/** One account is opened at a time, so that "the first account" is one account. */
export async function lockSignUp(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SIGN_UP})`.execute(tx)
}

/** One process makes partitions at a time. */
export async function lockPartitions(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PARTITION})`.execute(tx)
}

/** One transaction at a time counts the events of a workspace or erases some of them: events cannot go while they are counted. */
export async function lockCounting(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${COUNTING}, hashtext(${workspaceId}))`.execute(tx)
}

/** One process distributes tables over the machines of a cluster at a time. */
export async function lockDistribution(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DISTRIBUTION})`.execute(tx)
}

/** One registration of a push token at a time, also while nobody has the token and there is no row to lock. */
export async function lockPushToken(tx: Tx, workspaceId: string, environment: string, tokenHash: string): Promise<void> {
  await lockText(tx, `push ${workspaceId} ${environment} ${tokenHash}`)
}

/** One batch of a workspace at a time is held against the frequency cap, over all of its dispatches. */
export async function lockFrequency(tx: Tx, workspaceId: string): Promise<void> {
  await lockText(tx, `frequency ${workspaceId}`)
}

async function lockText(tx: Tx, text: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(tx)
}

/**
 * The order in which a transaction locks rows that others lock too, in the whole server: who holds one of these
 * takes only later ones. What has a head is locked by its head.
 */
export const LOCK_ORDER = ['catalog', 'settings', 'content', 'segments', 'events', 'device', 'person', 'size', 'audit'] as const
export type Lock = (typeof LOCK_ORDER)[number]
