import { prioritiesWith, readOverrides, type Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Context } from '../../context.ts'
import type { Of } from '../../infra/change.ts'
import { saveOverrides } from './queries-priorities.ts'
import { PRIORITIES } from './resolve.ts'
import { valueOf } from './sources.ts'

export type Ranking = { priorities: Priorities; overrides: Partial<Priorities> }

/** M-PRIO-05 to M-PRIO-10. Values and segments follow behind the answer. */
export async function setPriorities(ctx: Context, of: Of, body: Record<string, unknown>): Promise<Ranking> {
  const overrides = valueOf(readOverrides(body['priorities']))
  await ctx.change(of, async (change) => {
    await saveOverrides(change.tx, change.workspaceId, overrides, change.now)
    change.nudge(PRIORITIES)
  })
  return rankingOf(overrides)
}

export function rankingOf(overrides: Partial<Priorities>): Ranking {
  return { priorities: prioritiesWith(overrides), overrides }
}
