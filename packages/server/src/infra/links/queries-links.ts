import type { Db } from '../../db/open.ts'

/** Sealed, as `name` says where. */
export type LinkSecretRow = { name: string; secret: string }

/** The first made comes first. */
export async function listLinkSecrets(db: Db): Promise<LinkSecretRow[]> {
  return db
    .selectFrom('installation_secrets')
    .select(['name', 'secret'])
    .where((where) => where.or([where('name', '=', 'links'), where('name', 'like', 'links-%')]))
    .orderBy('name')
    .execute()
}

/** Where two processes make the secret at once, the second uses that of the first. */
export async function insertLinkSecret(db: Db, row: LinkSecretRow): Promise<void> {
  await db
    .insertInto('installation_secrets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Unless it was changed meanwhile. */
export async function replaceLinkSecret(db: Db, { name, secret }: LinkSecretRow, next: string): Promise<void> {
  await db.updateTable('installation_secrets').set({ secret: next }).where('name', '=', name).where('secret', '=', secret).execute()
}
