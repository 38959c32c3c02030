/** The step after a right password, for accounts with a second factor. */
import type { SignInMethod } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { DetailedError, ERRORS } from '../../../../errors.ts'
import { hashSecret } from '../../../../infra/secrets/crypto.ts'
import { listPasskeys } from '../passkeys/queries-passkeys.ts'
import { requestOptions, type PasskeyOptions } from '../passkeys/options.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { findAccount } from '../queries-accounts.ts'
import { spendCode } from './authenticator.ts'
import { isChallenge, makeChallenge, type Asked } from './challenges.ts'

/** `prove`: takes the code in the transaction that opens the session. */
export type Proof = { methods: SignInMethod[]; prove(tx: Db): Promise<void> }
type Account = { id: string; password_hash: string; totp_sealed: string | null }
/** `party`: where passkeys are offered. */
type Given = { otp: string | undefined; party: RelyingParty | undefined }

/** A challenge holds for one account as long as its password stays. */
const askedOf = ({ id, password_hash: hash }: Account): Asked => ({ purpose: 'second', about: `${id} ${hashSecret(hash)}` })

/** What the account has to prove besides its password, with what came with it. */
export async function secondStep(ctx: Context, account: Account, { otp, party }: Given): Promise<Proof> {
  const passkeys = await listPasskeys(ctx.db, account.id)
  if (account.totp_sealed === null && passkeys.length === 0) return { methods: ['pwd'], prove: async () => undefined }
  if (otp !== undefined) return { methods: ['pwd', 'otp'], prove: (tx) => spendCode(ctx, tx, account.id, otp) }
  const { challenge, expiresAt } = makeChallenge(ctx, askedOf(account))
  const passkey = party && passkeys.length > 0 ? requestOptions(party, challenge, passkeys) : undefined
  return refuseFirst({ challenge: `${challenge}.${account.id}`, expiresAt, authenticator: account.totp_sealed !== null, passkey })
}

/** What is told with `SECOND_FACTOR_REQUIRED` of a sign-in. */
type FirstDone = { challenge: string; expiresAt: Date; authenticator: boolean; passkey: PasskeyOptions | undefined }

function refuseFirst({ passkey, ...details }: FirstDone): never {
  const text = `${ERRORS.SECOND_FACTOR_REQUIRED[1]}, or answer the challenge by POST /auth/login/second`
  throw new DetailedError(401, text, { ...details, ...(passkey && { passkey }) }, 'SECOND_FACTOR_REQUIRED')
}

/** The account that gave its password when this was asked, less than five minutes ago, and what a passkey has to sign. */
export async function findFirstDone(ctx: Context, sent: string) {
  const [challenge = '', accountId = ''] = sent.split('.')
  const account = await findAccount(ctx.db, accountId)
  return account && isChallenge(ctx, askedOf(account), challenge) ? { account, challenge } : undefined
}
