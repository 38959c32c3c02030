/** For a person who lost their phone: somebody else takes their second factors away, which they are told by mail. */
import type { Context } from '../../../../context.ts'
import { failWith } from '../../../../errors.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { factorsRemovedMail, type AccountMails } from '../account-mails.ts'
import { findAccountNamed, lockAccount } from '../queries-accounts.ts'
import { findOwnAccount } from '../sign-in/reset-links.ts'
import { deleteSessionsOf } from '../sign-in/queries-sessions.ts'
import { dropFactors } from './drop-factors.ts'

/** By an admin, for a member whose account no other workspace has a say in. */
export async function removeFactorsOfMember(ctx: Context, mails: AccountMails, workspaceId: string, userId: string): Promise<void> {
  const { id, email } = await findOwnAccount(ctx, workspaceId, userId)
  await removeFactors(ctx, mails, { id, email })
}

/** By the operator, for anybody. */
export async function removeFactorsByEmail(ctx: Context, mails: AccountMails, email: string): Promise<void> {
  await removeFactors(ctx, mails, (await findAccountNamed(ctx.db, email)) ?? failWith(404, 'account not found'))
}

async function removeFactors(ctx: Context, mails: AccountMails, { id, email }: { id: string; email: string }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, id)
    await dropFactors(tx, id)
    await deleteSessionsOf(tx, id)
  })
  mails.later(async () => factorsRemovedMail(email))
}
