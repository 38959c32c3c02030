import { randomBytes } from 'node:crypto'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail, failWith } from '../../../../errors.ts'
import type { AccountCaller } from '../../../../http/callers/caller.ts'
import { uuidv7 } from '../../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { isChallenge, makeChallenge, takeChallenge, type Asked } from '../second-factor/challenges.ts'
import { beginFactors, endFactors, hasFactors, type NewCodes } from '../second-factor/factors.ts'
import { addSessionMethod } from '../second-factor/queries-second-factor.ts'
import { findAccount, lockAccount } from '../queries-accounts.ts'
import { creationOptions } from './options.ts'
import * as queries from './queries-passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import { verifyNew, verifyUse, type NewCredential, type UsedCredential } from './verify.ts'

const USER_BYTES = 32

const toRegister = (accountId: string): Asked => ({ purpose: 'register', about: accountId })

/** What a page asks the browser to make. */
export async function askForPasskey(ctx: Context, { accountId, email, name }: AccountCaller, party: RelyingParty) {
  const account = (await findAccount(ctx.db, accountId)) ?? failWith(404, 'account not found')
  const known = await queries.listPasskeys(ctx.db, accountId)
  if (known.length >= LIMITS.passkeysPerAccount) fail('PASSKEY_LIMIT')
  const user = account.passkey_user ?? (await inTransaction(ctx.db, (tx) => nameForPasskeys(tx, accountId)))
  const { challenge } = makeChallenge(ctx, toRegister(accountId))
  return creationOptions(party, challenge, { user, email, name }, known)
}

/** Random: a passkey that is found tells nobody whose it is. */
async function nameForPasskeys(tx: Db, accountId: string): Promise<string> {
  const account = await lockAccount(tx, accountId)
  if (account?.passkey_user) return account.passkey_user
  const user = randomBytes(USER_BYTES).toString('base64url')
  await queries.setPasskeyUser(tx, accountId, user)
  return user
}

/** The session that made it has a second factor from then on. */
export async function addPasskey(
  ctx: Context,
  caller: AccountCaller,
  { party, credential, name }: { party: RelyingParty; credential: NewCredential; name: string },
): Promise<{ passkey: queries.PasskeyRow } & NewCodes> {
  const { accountId, tokenHash } = caller
  const isAsked = (challenge: string) => isChallenge(ctx, toRegister(accountId), challenge)
  const { challenge, ...made } = await verifyNew(ctx, credential, { party, isAsked })
  return inTransaction(ctx.db, async (tx) => {
    const account = (await lockAccount(tx, accountId)) ?? failWith(404, 'account not found')
    if ((await queries.listPasskeys(tx, accountId)).length >= LIMITS.passkeysPerAccount) fail('PASSKEY_LIMIT')
    if (await queries.findPasskey(tx, made.credential_id)) fail('PASSKEY_KNOWN')
    await takeChallenge(ctx, tx, challenge)
    const codes = await beginFactors(tx, caller, await hasFactors(tx, account))
    const [id, now] = [uuidv7(ctx.clock.ms()), ctx.clock.now()]
    const transports = credential.response.transports ?? []
    const passkey = { ...made, id, account_id: accountId, transports, name, created_at: now, last_used_at: null }
    await queries.insertPasskey(tx, passkey)
    await addSessionMethod(tx, tokenHash, 'webauthn')
    return { passkey, ...codes }
  })
}

export async function removePasskey(ctx: Context, accountId: string, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await queries.deletePasskey(tx, accountId, id))) failWith(404, 'passkey not found')
    await endFactors(tx, accountId)
  })
}

export const TO_SIGN_IN: Asked = { purpose: 'passkey', about: '' }

/** `isAsked`: whether this is the challenge that was given. */
type Use = { party: RelyingParty; credential: UsedCredential; isAsked(challenge: string): boolean }

/** Whose passkey this is, and `prove`, which notes its use in the transaction that opens a session. */
export async function usePasskey(ctx: Context, { party, credential, isAsked }: Use) {
  const passkey = (await queries.findPasskey(ctx.db, credential.id)) ?? fail('PASSKEY_REFUSED')
  const { challenge, ...use } = await verifyUse(ctx, credential, passkey, { party, isAsked })
  const account = (await findAccount(ctx.db, passkey.account_id)) ?? fail('PASSKEY_REFUSED')
  const { userHandle } = credential.response
  if (userHandle && userHandle !== account.passkey_user) fail('PASSKEY_REFUSED')
  const prove = async (tx: Db) => {
    await takeChallenge(ctx, tx, challenge)
    if (!(await queries.notePasskeyUse(tx, { id: passkey.id, ...use, now: ctx.clock.now() }))) fail('PASSKEY_REFUSED')
  }
  return { account, prove }
}
