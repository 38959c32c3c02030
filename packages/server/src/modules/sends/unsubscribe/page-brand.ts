import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { Db } from '../../../db/open.ts'
import { findWebAddress } from '../../links/index.ts'
import { findBrand } from '../../mails/index.ts'

/** What the pages behind links in mails of a workspace are drawn in; undefined: nobody said anything. */
export async function findPageBrand(db: Db, workspaceId: string): Promise<{ brand: Brand; webAddress: string | null } | undefined> {
  const brand = await findBrand(db, workspaceId)
  return brand ? { brand, webAddress: await findWebAddress(db, workspaceId) } : undefined
}
