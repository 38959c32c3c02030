/** The holdout of a workspace, and whom it is about, as SQL. */
import { sql, type RawBuilder } from 'kysely'
import { holdoutKey, isHoldoutOn, type Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { Db } from '../../db/open.ts'

export async function findHoldout(db: Db, workspaceId: string): Promise<Holdout | null> {
  const row = await db.selectFrom('workspaces').select('holdout').where('id', '=', workspaceId).executeTakeFirst()
  return (row?.holdout ?? null) as Holdout | null
}

/** Whether the live person `p` is held out now (core/experiments/holdout.ts says the same of one person). */
export function isHeldOutNow(holdout: Holdout | null, now: Date): RawBuilder<boolean> {
  return isHoldoutOn(holdout, now.getTime()) ? sql<boolean>`(p.environment = 'live' and ${isOnSide(holdout)})` : sql<boolean>`false`
}

/** Whether the person `p` is of the share, at whatever time: the first four bytes of SHA-256 as a number from 0. */
export function isOnSide({ percent, salt }: Pick<Holdout, 'percent' | 'salt'>): RawBuilder<boolean> {
  return sql<boolean>`(('x' || encode(substring(sha256(convert_to(p.id || ':' || ${holdoutKey(salt)}::text, 'UTF8')) from 1 for 4), 'hex'))::bit(32)::bigint
    % 100 < ${percent}::integer)`
}
