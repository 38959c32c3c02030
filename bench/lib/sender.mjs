/** The part of the product that sends messages, on a database with people, without its routes. */
import { LIMITS } from '../../packages/core/src/limits.ts'
import { openChannels } from '../../packages/server/src/modules/channels/index.ts'
import { dispatchWorks, openDispatcher, startDispatches } from '../../packages/server/src/modules/sends/index.ts'
import { insertWorkspace, withContext } from './context.mjs'

/** `work` gets a context that sends, and a connection; the limit of people of a message is lifted meanwhile. */
export async function withSender(work) {
  const most = LIMITS.recipientsPerDispatch
  LIMITS.recipientsPerDispatch = 1e9
  try {
    return await withContext(async (ctx, db) => {
      for (const work of dispatchWorks(openDispatcher(ctx, openChannels(ctx)))) ctx.due.register(work)
      return work(ctx, db)
    })
  } finally {
    LIMITS.recipientsPerDispatch = most
  }
}

/** Inserts so many people, who take push messages and mail. */
export async function insertPeople(db, people) {
  const now = new Date(Date.now() - 86_400_000)
  await insertWorkspace(db, now)
  await db.query(
    `insert into profiles (workspace_id, id, environment, user_id, email, channels, created_at, updated_at)
    select 'benchmark', 'p' || lpad(i::text, 9, '0'), 'live', 'user-' || i, 'user' || i || '@example.com', '{"push": true, "email": true}', $2, $2
    from generate_series(1, $1::int) i`,
    [people, now],
  )
}

let campaigns = 0
/** Sends a message to everybody over this channel, until the last outcome is written. */
export async function sendCampaign(ctx, channel) {
  const sourceId = `c${++campaigns}`
  await ctx.change({ workspaceId: 'benchmark', actor: 'bench' }, (change) =>
    startDispatches(change, {
      source: 'campaign',
      sourceId,
      name: 'Bench',
      channels: [channel],
      content: { en: { title: 'Weekend', body: 'Everything is a fifth cheaper until Saturday.' } },
      segments: ['All users'],
      window: {},
    }),
  )
  await ctx.due.workOff('dispatch', 'benchmark')
}

/** Seconds that `work` takes. */
export async function timed(work) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
