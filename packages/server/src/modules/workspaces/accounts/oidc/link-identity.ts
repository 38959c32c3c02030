/** Ties who somebody is at a provider to the account that they have here, once they have signed in to it. */
import type { Context } from '../../../../context.ts'
import { fail } from '../../../../errors.ts'
import type { AccountCaller } from '../../../../http/callers/caller.ts'
import { isRecentSession } from '../../../../http/callers/recent-session.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { lockAccount } from '../queries-accounts.ts'
import type { WaitingIdentity } from './passing-cookies.ts'
import { findProvider, type Provider } from './providers.ts'
import { putIdentity } from './queries-providers.ts'

/** A session of a provider proves nothing of who somebody is here. */
const PROOFS = new Set(['pwd', 'webauthn'])

/** The provider of an identity that waits; it may be gone, or off, by now. */
export async function providerOfWaiting(ctx: Context, identity: WaitingIdentity | undefined): Promise<Provider> {
  const provider = identity && (await findProvider(ctx, identity.providerId))
  return provider?.isOn ? provider : fail('LINK_NOT_WAITING')
}

export async function linkIdentity(ctx: Context, caller: AccountCaller, identity: WaitingIdentity | undefined): Promise<Provider> {
  const { accountId, session } = caller
  if (!isRecentSession(ctx, caller) || !session.amr.some((each) => PROOFS.has(each))) fail('SIGN_IN_AGAIN')
  const provider = await providerOfWaiting(ctx, identity)
  const { subject, email } = identity as WaitingIdentity
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, accountId)
    const isTheirs = await putIdentity(tx, { providerId: provider.id, subject, accountId, email: email ?? undefined, now: ctx.clock.now() })
    if (!isTheirs) fail('IDENTITY_TAKEN')
  })
  return provider
}
