import type { Context } from '../../context.ts'
import { countEvents } from './count-events.ts'
import { expireEvents } from './expire-events.ts'
import { rollUpPeople } from './roll-up-people.ts'

/**
 * The job: what a process that died left uncounted, then people, then what is kept no longer, in this order, so that
 * nothing goes before it was counted. `isAsked`: somebody waits for it, and the hour need not be over.
 */
export async function runRollUp(ctx: Context, { isAsked }: { isAsked: boolean }): Promise<void> {
  await countEvents(ctx)
  await rollUpPeople(ctx, { isWhole: isAsked })
  await expireEvents(ctx)
}
