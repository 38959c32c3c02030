import { planOrder } from '@contentflow/core/blocks/plan-order.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { Target } from './instances.ts'
import { markContentChanged } from './mark-changed.ts'
import * as queries from './queries.ts'
import * as instanceQueries from './queries-instances.ts'
import type { Instance } from './queries-instances.ts'
import { environmentsOf, storeVersion } from './save-instance.ts'

export type Arranged = { instances: Instance[]; changed: number }

/** Gives priorities so that delivery sorts these instances of one type as they are named; what is not named keeps its own. */
export async function arrangeInstances(
  ctx: Context,
  { workspaceId, blockKey, accountId }: Omit<Target, 'id'>,
  ids: readonly string[],
): Promise<Arranged> {
  return ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const found = new Map((await instanceQueries.listInstances(tx, workspaceId, blockKey, ids)).map((instance) => [instance.id, instance]))
    const wanted = ids.map((id) => found.get(id) ?? failWith(404, 'instance not found'))
    const plan = planOrder(wanted.map(({ id, priority, livePublishedAt }) => ({ id, priority, publishedAt: livePublishedAt?.getTime() })))
    if (!plan.ok) failWith(409, plan.error)
    const instances: Instance[] = []
    for (const stored of wanted) {
      const priority = plan.value.get(stored.id)
      const maker = { id: accountId, source: 'edit' } as const
      instances.push(priority === undefined ? stored : await storeVersion(ctx, tx, workspaceId, stored, { ...stored, priority }, maker))
    }
    const seen = new Set(wanted.filter(({ id }) => plan.value.has(id)).flatMap(environmentsOf))
    await markContentChanged(tx, tell, { workspaceId, environments: [...seen], signal: 'block.updated', now: ctx.clock.now() })
    return { instances, changed: plan.value.size }
  })
}
