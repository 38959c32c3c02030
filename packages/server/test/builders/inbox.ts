import type { Context } from '../../src/context.ts'
import { personRow } from './people.ts'

/** A message in the inbox of this user, under an id that the test chooses. */
export async function storeInboxMessage(ctx: Context, workspaceId: string, id: string, user = 'the-same-user'): Promise<void> {
  const person = await personRow(ctx, workspaceId, user)
  const at = ctx.clock.now()
  await ctx.db
    .insertInto('in_app_messages')
    .values({
      workspace_id: workspaceId,
      id,
      profile_id: person?.id ?? '',
      journey_id: 'j',
      content: JSON.stringify({ en: { title: workspaceId } }),
      created_at: at,
      is_inbox: true,
      arrived: 1,
      inbox_until: new Date(at.getTime() + 86_400_000),
    })
    .execute()
}
