import { wantsConfirmation } from '@contentflow/core/identity/confirm-email.ts'
import type { Channels } from '@contentflow/core/identity/consent/consent.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { isWriteConflict } from '../../infra/unavailable.ts'
import { hashEmail } from './contact-hash.ts'
import type { ProfileRow } from './queries.ts'
import { insertConfirmation, isConfirmationFiled } from './queries-confirmations.ts'
import type { AppEmail } from './queries-write.ts'

/** The name of the work that asks. */
export const EMAIL_CONFIRMATIONS = 'email-confirmations'

type Named = Pick<ProfileRow, 'id' | 'environment' | 'email' | 'app_email' | 'channels' | 'personal_opt_out'>

/** Double opt-in: asks a person who just got an address, or agreed to mail, to confirm it there, once. Called after that was written. */
export async function askToConfirm(ctx: Context, by: Actor, profile: Named): Promise<void> {
  const { id, environment, email, personal_opt_out: personalOptOut } = profile
  const named = {
    environment,
    email,
    personalOptOut,
    appEmail: profile.app_email as AppEmail | null,
    channels: profile.channels as Channels,
  }
  const emailHash = hashEmail(email)
  if (emailHash === null || !wantsConfirmation(named)) return
  if (await isConfirmationFiled(ctx.db, by.workspaceId, emailHash)) return
  try {
    await ctx.change(by, async ({ tx, workspaceId, now, nudge }) => {
      await insertConfirmation(tx, { workspace_id: workspaceId, id: uuidv7(now.getTime()), email_hash: emailHash, profile_id: id }, now)
      nudge(EMAIL_CONFIRMATIONS)
    })
  } catch (error) {
    // The person was merged into another one meanwhile, or erased: the other one is asked when named again.
    if (!isWriteConflict(error)) throw error
  }
}
