import type { Context } from '../../context.ts'
import { lockSignUp } from '../../db/locks.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { insertEmptyWorkspace, openAccount } from './accounts/accounts.ts'
import { insertNewKey, type NewKey } from './keys/keys.ts'
import { hasAccounts } from './accounts/queries-accounts.ts'
import { insertFirstAdmin } from './accounts/members/queries-members.ts'
import { findDemo, markDemo } from './queries.ts'

type DemoInput = { email: string; name: string; workspaceName: string; passwordHash: string }
type DemoWorkspace = { workspaceId: string; keys: { live: string; test: string; write: string; read: string } }

/** An account with a workspace and one key of each use; undefined when the installation has an account already. */
export async function createDemoWorkspace(
  ctx: Context,
  { email, name, workspaceName, passwordHash }: DemoInput,
): Promise<DemoWorkspace | undefined> {
  return inTransaction(ctx.db, async (tx) => {
    await lockSignUp(tx)
    if (await hasAccounts(tx)) return undefined
    const account = await openAccount(ctx, tx, { email, name }, passwordHash)
    const { id: workspaceId } = await insertEmptyWorkspace(ctx, tx, {
      name: workspaceName,
      sourceLocale: 'en',
      isSandbox: false,
      calendar: null,
      openedBy: account.userId,
    })
    await markDemo(tx, workspaceId)
    await insertFirstAdmin(tx, workspaceId, account.userId, ctx.clock.now())
    const make = async (input: Omit<NewKey, 'name'>) => (await insertNewKey(ctx, tx, workspaceId, { ...input, name: 'Demo' })).key ?? ''
    const keys = {
      live: await make({ kind: 'publishable', environment: 'live' }),
      test: await make({ kind: 'publishable', environment: 'test' }),
      write: await make({ kind: 'write', environment: 'live' }),
      read: await make({ kind: 'read', environment: 'live' }),
    }
    return { workspaceId, keys }
  })
}

/** The key with which the demo shop asks for its content: the derivable one, because the text of no other is kept. */
export async function findDemoKey(ctx: Context): Promise<string | undefined> {
  const workspaceId = await findDemo(ctx.db)
  return workspaceId && `${workspaceId}_app`
}
