import type { SecondFactorPolicy } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Db } from '../../../../db/open.ts'

/**
 * What a workspace asks of those who sign in. `ssoRequired`: they come by a provider, but for `breakGlass`, admins who have a
 * passkey. `sessionIdleMinutes`: unused for longer, their sessions end; null: by their age alone.
 */
export type SignInSettings = {
  ssoRequired: boolean
  breakGlass: string[]
  secondFactor: SecondFactorPolicy
  sessionIdleMinutes: number | null
}

/** A workspace without a row asks for nothing. */
export async function findSignInSettings(db: Db, workspaceId: string): Promise<SignInSettings> {
  const row = await db
    .selectFrom('sign_in_settings')
    .select(['sso_required as ssoRequired', 'break_glass as breakGlass'])
    .select(['second_factor as secondFactor', 'session_idle_minutes as sessionIdleMinutes'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row ?? { ssoRequired: false, breakGlass: [], secondFactor: 'off', sessionIdleMinutes: null }
}

export async function saveSignInSettings(tx: Db, workspaceId: string, settings: SignInSettings): Promise<void> {
  const entry = {
    sso_required: settings.ssoRequired,
    break_glass: settings.breakGlass,
    second_factor: settings.secondFactor,
    session_idle_minutes: settings.sessionIdleMinutes,
  }
  await tx
    .insertInto('sign_in_settings')
    .values({ workspace_id: workspaceId, ...entry })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(entry))
    .execute()
}
