import type { Db } from '../../../../db/open.ts'

export type SignInSettings = { ssoRequired: boolean; breakGlass: string[] }

export async function findSignInSettings(db: Db, workspaceId: string): Promise<SignInSettings> {
  const row = await db
    .selectFrom('sign_in_settings')
    .select(['sso_required as ssoRequired', 'break_glass as breakGlass'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row ?? { ssoRequired: false, breakGlass: [] }
}

export async function putSignInSettings(tx: Db, workspaceId: string, { ssoRequired, breakGlass }: SignInSettings): Promise<void> {
  const entry = { sso_required: ssoRequired, break_glass: breakGlass }
  await tx
    .insertInto('sign_in_settings')
    .values({ workspace_id: workspaceId, ...entry })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(entry))
    .execute()
}
