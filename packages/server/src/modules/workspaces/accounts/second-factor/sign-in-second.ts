import type { SignInMethod } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail } from '../../../../errors.ts'
import { TO_SIGN_IN, usePasskey } from '../passkeys/passkeys.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { UsedCredential } from '../passkeys/verify.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { enter, enterWithPassword, readNext, type Arrival, type InBrowser } from '../sign-in/sessions.ts'
import { withPasskeyTry } from '../sign-in/tries.ts'
import { spendCode } from './authenticator.ts'
import { isChallenge, takeChallenge } from './challenges.ts'
import { findFirstDone } from './second-step.ts'

/** `otp` or `credential` answers the challenge. */
type Second = Arrival & {
  challenge: string
  otp: string | undefined
  credential: UsedCredential | undefined
  party: RelyingParty | undefined
  browser?: InBrowser
}

/** The second step of a sign-in whose password was right. */
export async function logInSecond(
  ctx: Context,
  passwords: Passwords,
  { challenge: sent, otp, credential, party, browser, ...visitor }: Second,
) {
  const { account, challenge } = (await findFirstDone(ctx, sent)) ?? fail('SIGN_IN_OVER')
  const changed = await readNext(passwords, visitor, account, browser)
  const open = (methods: SignInMethod[], prove: (tx: Db) => Promise<void>) =>
    enterWithPassword(ctx, account, visitor, { methods, prove, changed })
  if (credential === undefined)
    return open(['pwd', 'otp'], async (tx) => {
      await takeChallenge(ctx, tx, challenge)
      await spendCode(ctx, tx, account.id, otp ?? '')
    })
  return withPasskeyTry(ctx, visitor.address, async () => {
    const used = await usePasskey(ctx, { party: party ?? fail('PASSKEYS_OFF'), credential, isAsked: (answered) => answered === challenge })
    if (used.account.id !== account.id) fail('PASSKEY_REFUSED')
    return open(['pwd', 'webauthn'], used.prove)
  })
}

/** A passkey alone: it says whose it is. */
export async function logInByPasskey(ctx: Context, visitor: Arrival, party: RelyingParty, credential: UsedCredential) {
  return withPasskeyTry(ctx, visitor.address, async () => {
    const isAsked = (challenge: string) => isChallenge(ctx, TO_SIGN_IN, challenge)
    const { account, prove } = await usePasskey(ctx, { party, credential, isAsked })
    return enter(ctx, account, visitor, { methods: ['webauthn'], prove })
  })
}
