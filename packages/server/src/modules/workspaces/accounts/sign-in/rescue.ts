import type { Context } from '../../../../context.ts'
import { hashPassword, randomId } from '../../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { noteAccountEvent } from '../../../audit/index.ts'
import * as accounts from '../queries-accounts.ts'
import { dropFactors } from '../second-factor/drop-factors.ts'
import { deleteSessionsOf, deleteLinksOf } from './queries-sessions.ts'

const PASSWORD_LENGTH = 20

/**
 * The last resort of whoever is on the machine: gives the account a new password, which a browser then asks to be changed,
 * takes its second factors away, and ends its sessions and links. Undefined when there is no such account.
 */
export async function resetFromShell(ctx: Context, email: string): Promise<string | undefined> {
  const found = await accounts.findAccountNamed(ctx.db, email)
  if (!found) return undefined
  const password = randomId(PASSWORD_LENGTH)
  const hash = await hashPassword(password)
  await inTransaction(ctx.db, async (tx) => {
    const account = await accounts.lockAccount(tx, found.id)
    await accounts.replacePassword(tx, found.id, account?.password_hash ?? '', hash)
    await accounts.requirePasswordChange(tx, found.id)
    await dropFactors(tx, found.id)
    await deleteSessionsOf(tx, found.id)
    await deleteLinksOf(tx, found.id)
  })
  await noteAccountEvent(ctx, { accountId: found.id, action: 'resetPasswordOnMachine', actor: { kind: 'operator', id: 'machine' } })
  ctx.log.warn({ id: found.id }, 'the password of an account was reset on this machine')
  return password
}
