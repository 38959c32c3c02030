import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { planOrder } from '@contentflow/core/blocks/plan-order.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor } from '../../infra/change.ts'
import { findRules } from '../approvals/index.ts'
import { changeContent } from './revisions/change-content.ts'
import * as queries from './revisions/queries.ts'
import * as instanceQueries from './revisions/queries-instances.ts'
import type { Instance } from './revisions/queries-instances.ts'
import { amendContent } from './revisions/save-instance.ts'

const ORDER_NEEDS_APPROVAL = 'What is live takes a second person here: change the priority in the editor and publish it'

export type Arranged = { instances: Instance[]; changed: number }

/** Sets priorities so that delivery sorts these instances of one type in the order in which they are named; the others keep theirs. */
export async function arrangeInstances(ctx: Context, by: Actor, blockKey: string, ids: readonly string[]): Promise<Arranged> {
  return changeContent(ctx, by, async (change) => {
    const { tx, workspaceId } = change
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    if ((await findRules(tx, workspaceId)).publishing) fail('APPROVAL_NEEDED', { message: ORDER_NEEDS_APPROVAL })
    const found = new Map((await instanceQueries.listInstances(tx, workspaceId, blockKey, ids)).map((instance) => [instance.id, instance]))
    const wanted = ids.map((id) => found.get(id) ?? failWith(404, 'instance not found'))
    const plan = planOrder(wanted.map(({ id, priority, livePublishedAt }) => ({ id, priority, publishedAt: livePublishedAt?.getTime() })))
    if (!plan.ok) fail('NO_ROOM_FOR_ORDER', { message: plan.error })
    const instances: Instance[] = []
    for (const stored of wanted) {
      const priority = plan.value.get(stored.id)
      const edit = (content: InstanceContent) => ({ ...content, priority: priority ?? content.priority })
      instances.push(priority === undefined ? stored : await amendContent(change, definition, stored, edit, 'edit'))
    }
    return { instances, changed: plan.value.size }
  })
}
