import type { Db } from '../../../../db/open.ts'
import { deletePasskeysOf } from '../passkeys/queries-passkeys.ts'
import { dropRecoveryCodes, dropSecret } from './queries-second-factor.ts'

/** The authenticator app, every passkey and every recovery code. */
export async function dropFactors(tx: Db, accountId: string): Promise<void> {
  await dropSecret(tx, accountId)
  await deletePasskeysOf(tx, accountId)
  await dropRecoveryCodes(tx, accountId)
}
