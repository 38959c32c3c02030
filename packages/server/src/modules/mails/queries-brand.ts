import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { Db } from '../../db/open.ts'

/** Null: nobody said anything. */
export async function findBrand(db: Db, workspaceId: string): Promise<Brand | null> {
  const row = await db.selectFrom('workspaces').select('brand').where('id', '=', workspaceId).executeTakeFirst()
  return (row?.brand as Brand | null | undefined) ?? null
}

/** Holds for mails that are drawn from then on. */
export async function setBrand(tx: Db, workspaceId: string, brand: Brand | null): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ brand: brand && JSON.stringify(brand) })
    .where('id', '=', workspaceId)
    .execute()
}
