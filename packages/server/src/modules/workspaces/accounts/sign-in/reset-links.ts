import type { Context } from '../../../../context.ts'
import { fail, failWith } from '../../../../errors.ts'
import { noteAccountEvent } from '../../../audit/index.ts'
import { linkMadeMail, type AccountMails } from '../account-mails.ts'
import { makeResetLink, type MadeLink } from '../links.ts'
import { findAccount, findAccountNamed, type AccountRow } from '../queries-accounts.ts'
import { findMembership, listMemberships } from '../members/queries-members.ts'
import { getSettings } from '../../queries.ts'

/** By an admin, for a member whose account no other workspace has a say in. Who was only invited is nobody's to reset. */
export async function makeLinkForMember(ctx: Context, mails: AccountMails, workspaceId: string, userId: string): Promise<MadeLink> {
  const account = await findOwnAccount(ctx, workspaceId, userId)
  const link = await makeResetLink(ctx, userId)
  mails.later(async () => linkMadeMail(account.email))
  return link
}

/** The account of somebody who joined this workspace and no other one, its sandbox aside. */
export async function findOwnAccount(ctx: Context, workspaceId: string, userId: string): Promise<AccountRow> {
  const account = (await findAccount(ctx.db, userId)) ?? failWith(404, 'member not found')
  if (!(await findMembership(ctx.db, workspaceId, userId))) fail('ACCOUNT_SHARED')
  const { sandbox_id: sandboxId } = await getSettings(ctx.db, workspaceId)
  const memberships = await listMemberships(ctx.db, userId)
  if (memberships.some(({ id }) => id !== workspaceId && id !== sandboxId)) fail('ACCOUNT_SHARED')
  return account
}

/** The operator makes a link for any account. */
export async function makeLinkForEmail(ctx: Context, mails: AccountMails, email: string): Promise<MadeLink> {
  const account = (await findAccountNamed(ctx.db, email)) ?? failWith(404, 'account not found')
  const link = await makeResetLink(ctx, account.id)
  await noteAccountEvent(ctx, { accountId: account.id, actor: { kind: 'operator', id: 'operator' } })
  mails.later(async () => linkMadeMail(account.email))
  return link
}
