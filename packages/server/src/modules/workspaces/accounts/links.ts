/** Links to a new password or a new address: for half an hour, once. Only their hash is kept. */
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { AccountCaller } from '../../../http/callers/caller.ts'
import { hashSecret, randomToken } from '../../../infra/secrets/crypto.ts'
import type { Mail } from '../../../infra/mail/mail.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { noteAccountEvent } from '../../audit/index.ts'
import { accountEmail } from './account-email.ts'
import { addressChangingMail, newAddressMail, resetMail, type AccountMails } from './account-mails.ts'
import { deleteIdentities } from './oidc/queries-providers.ts'
import { dropFactors } from './second-factor/drop-factors.ts'
import { refuseEasyPassword } from './sign-in/own-passwords.ts'
import type { Passwords } from './sign-in/passwords.ts'
import * as accounts from './queries-accounts.ts'
import * as queries from './sign-in/queries-sessions.ts'
import { linkCounters, passwordChangeCounters, resetCounters, spendTry, takeQuietly } from './sign-in/tries.ts'

const LINK_MINUTES = 30

/** A link that somebody passes on themselves. */
export type MadeLink = { token: string; expiresAt: Date }
type NewLink = { accountId: string; kind: queries.LinkKind; email: string | null }

async function makeLink(ctx: Context, { accountId, kind, email }: NewLink): Promise<MadeLink> {
  const [token, now] = [randomToken(), ctx.clock.now()]
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000)
  const link = { token_hash: hashSecret(token), account_id: accountId, kind, email, created_at: now, expires_at: expiresAt }
  await queries.insertLink(ctx.db, link)
  return { token, expiresAt }
}

/** The token stands behind `#`: it reaches no server and no log before the page sends it. */
export function addressOfLink(publicUrl: string, kind: queries.LinkKind, token: string): string {
  return `${publicUrl}/${kind === 'reset' ? 'reset-password' : 'confirm-email'}#${token}`
}

/** Sends a link to whoever has this address. The answer says nothing of whether there is an account. */
export async function askForReset(ctx: Context, mails: AccountMails, address: string, email: string): Promise<void> {
  await spendTry(ctx, linkCounters(address), 'LINKS_RATE_LIMITED')
  mails.later(() => writeReset(ctx, email))
}

async function writeReset(ctx: Context, email: string): Promise<Mail | undefined> {
  const account = await accounts.findAccountNamed(ctx.db, email)
  if (!account || !(await takeQuietly(ctx, resetCounters(account.id)))) return undefined
  const { token } = await makeLink(ctx, { accountId: account.id, kind: 'reset', email: account.email })
  return resetMail(account.email, addressOfLink(ctx.config.publicUrl, 'reset', token))
}

/** Makes a link to reset a password for a member with that right. It proves no address, because whoever made it could use it. */
export async function makeResetLink(ctx: Context, accountId: string): Promise<MadeLink> {
  await spendTry(ctx, resetCounters(accountId), 'LINKS_RATE_LIMITED')
  return makeLink(ctx, { accountId, kind: 'reset', email: null })
}

/**
 * Ends every session of the account and every other link. Whoever had a link by mail has proved the address, so the account
 * is theirs, whoever opened it; its memberships stay, where they see them.
 */
export async function resetPassword(
  ctx: Context,
  passwords: Passwords,
  { address, token, next }: { address: string; token: string; next: string },
) {
  const tokenHash = hashSecret(token)
  const link = (await queries.findLink(ctx.db, 'reset', tokenHash, ctx.clock.now())) ?? fail('LINK_OVER')
  const { email } = (await accounts.findAccount(ctx.db, link.account_id)) ?? fail('LINK_OVER')
  refuseEasyPassword(next, email)
  const hash = await passwords.hash(address, next)
  await inTransaction(ctx.db, async (tx) => {
    const account = (await accounts.lockAccount(tx, link.account_id)) ?? fail('LINK_OVER')
    if (!(await queries.takeLinks(tx, account.id, tokenHash))) fail('LINK_OVER')
    await accounts.replacePassword(tx, account.id, account.password_hash, hash)
    if (link.email !== null) {
      // Whoever opened the account may not be who has its address: what they could come in with is taken from them.
      if (account.email_verified_at === null) {
        await dropFactors(tx, account.id)
        await deleteIdentities(tx, account.id)
      }
      await accounts.proveEmail(tx, account.id, ctx.clock.now())
    }
    await queries.deleteSessionsOf(tx, account.id)
  })
  await noteAccountEvent(ctx, { accountId: link.account_id })
}

/** Sends a link to the new address, and word of it to the present one. Whether the new one has an account already is not told. */
export async function askForNewEmail(
  ctx: Context,
  { passwords, mails }: { passwords: Passwords; mails: AccountMails },
  caller: AccountCaller,
  input: { email: string; password: string },
): Promise<void> {
  if (!ctx.mail.isOn) fail('MAIL_OFF')
  const email = accountEmail(input.email)
  await spendTry(ctx, passwordChangeCounters(caller.accountId), 'LOGIN_RATE_LIMITED')
  const account = (await accounts.findAccount(ctx.db, caller.accountId)) ?? failWith(404, 'account not found')
  if (!(await passwords.isRight(account.id, input.password, account.password_hash))) fail('PASSWORD_WRONG')
  await spendTry(ctx, resetCounters(account.id), 'LINKS_RATE_LIMITED')
  mails.later(async () => addressChangingMail(account.email))
  mails.later(async () => {
    if (await accounts.findAccountByEmail(ctx.db, foldEmail(email))) return undefined
    const { token } = await makeLink(ctx, { accountId: account.id, kind: 'email', email })
    return newAddressMail(email, addressOfLink(ctx.config.publicUrl, 'email', token))
  })
}

/** The account's other sessions end; this one goes on. */
export async function takeNewEmail(ctx: Context, caller: AccountCaller, token: string) {
  const tokenHash = hashSecret(token)
  const link = (await queries.findLink(ctx.db, 'email', tokenHash, ctx.clock.now())) ?? fail('LINK_OVER')
  const { email } = link
  if (link.account_id !== caller.accountId || email === null) fail('LINK_OVER')
  await inTransaction(ctx.db, async (tx) => {
    await accounts.lockAccount(tx, caller.accountId)
    if (!(await queries.takeLinks(tx, caller.accountId, tokenHash))) fail('LINK_OVER')
    await accounts.updateEmail(tx, caller.accountId, { email, folded: foldEmail(email) }, ctx.clock.now())
    await queries.deleteOtherSessions(tx, caller.accountId, caller.tokenHash)
  })
  return { userId: caller.accountId, email, name: caller.name }
}
